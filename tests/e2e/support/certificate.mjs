// A certificate for this machine.
import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Makes one, and its key, in `folder`; the options that name them. */
export function certificateIn(folder) {
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=localhost'], { stdio: 'ignore' });
  return ['--tls-cert', cert, '--tls-key', key];
}
