// Holdings of a server, and whether it holds nothing more than before.
import fs from 'node:fs';
import { childrenOf, descriptors, environ, eventually, threads } from '../process.mjs';

/** Of what goes to the log: what is worth a look, less what wrong input, the user of the tests and files that hang explain. */
const COMPLAINT = / (warning|error|critical) /;
const EXPLAINED = /wrong credential|runs as root|was cleared is not deleted yet|its checkpoint is gone/;

export function holdings(server) {
  return { threads: threads(server.pid), descriptors: descriptors(server.pid).length, children: childrenOf(server.pid).length, files: filesBelow(server.stateDir) };
}

/** The folder `shells` is made with the first shell for commands, and stays; what is in it does not. */
const filesBelow = (folder) => fs.readdirSync(folder, { recursive: true }).map(String).filter((name) => name !== 'shells').sort();

/** Processes that run with the home of this server's shells: also those that nobody calls his child any more. */
function inhabitants(server) {
  return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
    try {
      return pid !== server.pid && environ(pid).HOME === server.home;
    } catch {
      return false; // it ended while we looked
    }
  });
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // it has ended since
  }
}

/** Ends what a server that was killed has left behind. */
export function endStragglers(server) {
  for (const pid of inhabitants(server)) kill(pid);
}

/** Fails where the terminals that run, by list and metrics, are not as many as the server's children. */
export async function countsAgree(server, client, record, patience) {
  let found;
  const look = async () => {
    const { terminals } = await client.call('terminal.list', {});
    const metrics = await (await server.fetch('/metrics')).text();
    found = {
      listed: terminals.filter(({ status }) => status === 'running').length,
      counted: Number(metrics.match(/^ptyd_sessions_running (\d+)$/m)?.[1]), children: childrenOf(server.pid).length,
    };
    return found.listed === found.counted && found.listed === found.children;
  };
  await eventually(look, 'the counts of terminals that run to agree', patience).catch((error) => record.fail(`${error.message}: ${JSON.stringify(found)}`));
}

/** Fails, naming it, for each thing that is still there when `patience` is over. */
export async function nothingMore(server, before, record, patience) {
  const look = async (what, check, found) => {
    try {
      await eventually(check, what, patience);
    } catch (error) {
      record.fail(`${error.message}: ${found()}`);
    }
  };
  await Promise.all([
    look('no child', () => holdings(server).children <= before.children, () => childrenOf(server.pid)),
    look('no process of its shells', () => inhabitants(server).length === 0, () => inhabitants(server)),
    look('as many threads as before', () => holdings(server).threads <= before.threads, () => `${holdings(server).threads} instead of ${before.threads}`),
    look('as many descriptors as before', () => holdings(server).descriptors <= before.descriptors, () => named(server)),
    look('the files as before', () => holdings(server).files.join() === before.files.join(), () => newFiles(server, before)),
  ]);
}

const newFiles = (server, before) => holdings(server).files.filter((file) => !before.files.includes(file));

function named(server) {
  return descriptors(server.pid).map((fd) => {
    try {
      return fs.readlinkSync(`/proc/${server.pid}/fd/${fd}`);
    } catch {
      return 'closed just now';
    }
  });
}

export const complaints = (log) => log.split('\n').filter((line) => COMPLAINT.test(line) && !EXPLAINED.test(line));
