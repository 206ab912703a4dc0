import { isAbsolute, relative, resolve } from 'node:path';

/**
 * A folder's path as GitHub names files: from the top of what was checked out, wherever the command runs.
 * Elsewhere it is the folder as it was given.
 */
export function pathInWorkspace(folder: string, workspace: string | undefined): string {
  if (!workspace) return folder;
  const path = relative(workspace, resolve(folder));
  return path.startsWith('..') || isAbsolute(path) ? folder : path;
}
