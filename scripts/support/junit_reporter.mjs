// Node's results as JUnit: each test as soon as it has ended, with its file, and nothing that XML cannot hold. (Node's own
// reporter names no file, escapes names twice, and writes control characters as they come.)
import { inspect } from 'node:util';

const ESCAPED = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' };
// eslint-disable-next-line no-control-regex
const clean = (text) => String(text).replace(/\x1b\[[0-9;]*m/g, '').replace(/[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]/gu, '\ufffd');
const escaped = (text) => clean(text).replace(/[&<>"\n]/g, (each) => ESCAPED[each]);

function message(error) {
  const cause = error?.cause ?? error;
  if (error?.failureType === 'testCodeFailure' && error.exitCode !== undefined) return `the file ended with ${error.signal ?? error.exitCode}`;
  return cause instanceof Error ? (cause.stack ?? cause.message) : typeof cause === 'string' ? cause : inspect(cause);
}

function verdict({ details, skip, todo }, failed) {
  if (failed) return `<failure>${escaped(message(details.error)).replaceAll('&#10;', '\n')}</failure>`;
  return skip !== undefined || todo !== undefined ? '<skipped/>' : '';
}

export default async function* junit(source) {
  const ended = []; // how many tests of each depth since the last one above it
  yield '<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n';
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { nesting, name, file = '' } = data;
    const holds = ended[nesting + 1] ?? 0;
    ended[nesting + 1] = 0;
    ended[nesting] = (ended[nesting] ?? 0) + 1;
    if (holds && (type === 'test:pass' || data.details.error?.failureType === 'subtestsFailed')) continue;
    const seconds = (data.details.duration_ms / 1000).toFixed(3);
    yield `<testcase name="${escaped(name)}" file="${escaped(file)}" time="${seconds}">${verdict(data, type === 'test:fail')}</testcase>\n`;
  }
  yield '</testsuites>\n';
}
