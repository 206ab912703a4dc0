/**
 * Invisible characters, some of which control a terminal: control characters, direction marks, lone surrogates.
 * The two joiners (U+200C, U+200D) are legitimate parts of scripts and emoji.
 */
const hidden = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/**
 * Escapes invisible characters and line breaks: `␛` for an escape, `<U+202E>` for a direction mark. The result is safe
 * for a terminal, is no command for GitHub Actions in a log, and can be written as XML 1.0 (2.2).
 */
export function visible(text: string): string {
  const plain = text.replace(hidden, (one) => pictureOf(one) ?? codePointsOf(one));
  return withoutCommands(plain).replace(/^([\s\u200c\u200d]*):(?=:)/, `$1${codePointsOf(':')}`);
}

/** Replaces the bracket of `##[`, which begins a command anywhere in a line, by a similar character (ActionCommand.cs). */
export function withoutCommands(line: string): string {
  return line.replaceAll('##[', '##\u2045');
}

/** Splits a text into lines and escapes each. */
export function visibleLines(text: string): string[] {
  return text.split('\n').map(visible);
}

/** Formats the code points of a text: `<U+200D>`. */
export function codePointsOf(text: string): string {
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  }).join('');
}

/** Unicode has pictures of the ASCII control characters (U+2400 to U+2421). */
function pictureOf(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : undefined;
}

/** The counts of a report. Without an import, because scripts of pages use this module, too. */
type Summary = Readonly<Record<'files' | 'questions' | 'errors' | 'warnings', number>>;

/** Summarizes a report: `168 questions in 29 files: 0 errors, 0 warnings.` */
export function summaryLine(summary: Summary): string {
  return `${contentCount(summary)}: ${severityCounts(summary)}.`;
}

/** Counts problems: `2 errors, 1 warning`. */
export function severityCounts({ errors, warnings }: Pick<Summary, 'errors' | 'warnings'>): string {
  return `${count(errors, 'error')}, ${count(warnings, 'warning')}`;
}

/** Counts the content: `168 questions in 29 files`. */
export function contentCount({ questions, files }: Pick<Summary, 'questions' | 'files'>): string {
  return `${count(questions, 'question')} in ${count(files, 'file')}`;
}

/** Formats a number with its noun: `1 error`, `1,000 errors`. */
export function count(number: number, noun: string): string {
  return `${formatNumber(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Formats a whole number: `26,400`. Without `Intl`, which takes longer to load than a small command runs. */
export function formatNumber(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Formats an amount of data: `512 bytes`, `12 kB`, `3.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return count(bytes, 'byte');
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Units of time, in seconds. */
const timeUnits: readonly (readonly [string, number])[] = [
  ['days', 86_400],
  ['h', 3600],
  ['min', 60],
];

/** Formats a duration in its largest unit: `8 days`, `3 h`, `12 min`, `4 s`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const [unit, length] = timeUnits.find(([, length]) => seconds >= 2 * length) ?? ['s', 1];
  return `${Math.ceil(seconds / length)} ${unit}`;
}

/** Formats a time to the minute: `2026-12-01 00:00 UTC`. @param time milliseconds since 1970, UTC */
export function formatTime(time: number): string {
  const minute = new Date(Math.round(time / 60_000) * 60_000).toISOString();
  return `${minute.slice(0, 'YYYY-MM-DD'.length)} ${minute.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM'.length)} UTC`;
}
