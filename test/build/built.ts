export { buildFolder as built } from './build-folder.ts';
