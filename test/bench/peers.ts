import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../gateway/started-process.ts';

/** The folder of the programs that Pastpaper is compared with. */
const peers = join(repository, 'test/bench/peers');

/** The path of a file of a peer package; installs the peers if they are missing. */
export async function peerFile(path: string): Promise<string> {
  const file = join(peers, 'node_modules', path);
  if (existsSync(file)) return file;
  const npm = spawn('npm', ['ci', '--ignore-scripts'], { cwd: peers, stdio: 'inherit' });
  const [status] = await once(npm, 'close');
  if (status !== 0) throw new Error(`npm ci in ${peers} ended with ${status}`);
  return file;
}
