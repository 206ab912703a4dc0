import { counted } from '../pull/words.ts';
import { textReport } from '../report/text.ts';
import { type Verification, verify } from '../verify/verify.ts';
import { type Command, type CommandIO, readArguments, terminal } from './command.ts';

/** As many are told one by one. */
const mostTold = 20;

/** `npm run verify`: whether the current release is whole, and what the content gives. */
export const verifyCommand: Command = async (args, { contentDir, distDir }, io) => {
  readArguments(args, {});
  const verification = await verify(contentDir, distDir, new Date());
  if (verification.kind === 'same') {
    const { manifest, files } = verification;
    io.stdout.write(
      `Release ${manifest.id} is whole, ${counted(files, 'file')}, and is what the content gives, byte for byte.\n`,
    );
    return 0;
  }
  io.stderr.write(explain(verification, contentDir, io));
  return 1;
};

function explain(
  verification: Exclude<Verification, { kind: 'same' }>,
  contentDir: string,
  io: CommandIO,
): string {
  switch (verification.kind) {
    case 'damaged':
      return `The current release is damaged; the next build replaces it.\n${list(verification.faults)}`;
    case 'no-content':
      return `${textReport(verification.report, { contentDir, ...terminal(io.stderr, io.env) })}The content gives no release to compare with.\n`;
    case 'different': {
      const lines = verification.differences.map(({ path, what }) => `${path}  ${what}`);
      return `Release ${verification.manifest.id} is whole, but is not what the content gives: ${counted(lines.length, 'difference')}.\n${list(lines)}`;
    }
  }
}

function list(lines: readonly string[]): string {
  const more = lines.length - mostTold;
  const told = lines.slice(0, mostTold).map((line) => `  ${line}\n`);
  return told.join('') + (more > 0 ? `  and ${more.toLocaleString('en')} more\n` : '');
}
