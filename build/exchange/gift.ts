/** Reads GIFT, a text format of Moodle. */
import { type Item, lossesIf } from './item.ts';
import { type GradedAnswer, gradedItem, markupOf, topicOf } from './moodle.ts';

/** Signs that a backslash makes ordinary, and the characters in their place until the structure is known. */
const escapable = '~=#{}:\\';
const firstStandIn = 0xfde0;
const standIns = /[\ufde0-\ufde6]/g;

/** Reads the questions of a GIFT file. Blank lines separate them, except between braces. */
export function* giftItems(text: string): Generator<Item> {
  let topic = '';
  const lines = text
    .replace(standIns, '')
    .replace(/\r\n?/g, '\n')
    .replace(/^[ \t]*\/\/.*(?:\n|$)/gm, '')
    .replace(/\\([~=#{}:\\])/g, (_, sign: string) =>
      String.fromCharCode(firstStandIn + escapable.indexOf(sign)),
    );
  for (const block of blocksOf(lines)) {
    const [, category] = /^\$CATEGORY:(.*)/.exec(block) ?? [];
    topic = category === undefined ? topic : topicOf(restored(category));
    const rest = block.replace(/^\$CATEGORY:.*\n?/, '').trim();
    if (rest !== '') yield itemOf(rest, topic);
  }
}

/** The questions of a text: a blank line between braces separates nothing, if they are closed before others open. */
function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let block = '';
  let isOpen = false;
  for (const part of text.split(/\n[ \t]*\n\s*/)) {
    const first = /[{}]/.exec(part)?.[0];
    if (isOpen && first === '}') block += `\n${part}`;
    else {
      blocks.push(block.trim());
      block = part;
    }
    isOpen = block.lastIndexOf('{') > block.lastIndexOf('}');
  }
  return [...blocks, block.trim()].filter((one) => one !== '');
}

function restored(text: string): string {
  return text
    .replace(/\\n/g, '\n')
    .replace(standIns, (sign) => escapable[sign.charCodeAt(0) - firstStandIn] ?? '')
    .trim();
}

/** A text with its format before it: `[html]<p>...`. */
function formatted(text: string, format: string): readonly [text: string, format: string] {
  const [, own = format, rest = text] =
    /^\s*\[(html|moodle|plain|markdown)\](.*)$/s.exec(text) ?? [];
  return [rest, own];
}

/** What is between braces that are answers. */
const answers = /^\s*(?:[=~#]|(?:T|F|TRUE|FALSE)\s*(?:#|$)|$)/;

function itemOf(block: string, topic: string): Item {
  const [, title = '', untitled = block] = /^::((?:(?!::).)*)::(.*)$/s.exec(block) ?? [];
  const [body, format] = formatted(untitled, 'moodle');
  const spans = [...body.matchAll(/\{([^{}]*)\}/g)];
  const [span] = spans;
  const before = span ? body.slice(0, span.index) : body;
  const name = restored(title) || restored(before).slice(0, 60);
  const others = spans.slice(1);
  const fault =
    span && others.length > 0 && spans.every(([, inner = '']) => answers.test(inner))
      ? 'several blanks'
      : spans.length > 1 || /[{}]/.test(body.replace(span?.[0] ?? '', ''))
        ? 'braces that do not enclose the answers. Write \\{ and \\} for those of formulas'
        : undefined;
  if (fault !== undefined) return { name, type: fault, text: '', losses: [], refusal: fault };
  const after = span ? body.slice(span.index + span[0].length).trimEnd() : '';
  const [written = '', ...general] = (span?.[1] ?? '').split('####');
  const isBlank = after.trim() !== '';
  const solution = formatted(general.join(' '), format);
  return {
    name,
    text: markupOf(restored(isBlank ? `${before}____${after}` : before), format),
    solution: markupOf(restored(solution[0]), solution[1]),
    fields: { topic },
    ...answersOf(span ? written.trim() : undefined, format),
  };
}

/** An answer: its sign, percent of the marks, text and feedback. */
const answer = /(~=|[=~])\s*(?:%(-?[\d.]+)%)?([^=~]*)/g;

/** @param written what is between the braces; undefined without any */
function answersOf(written: string | undefined, format: string) {
  if (written === undefined) return gradedItem('description', [], 1, []);
  const losses = lossesIf({
    feedback: /#./s.test(written.slice(1)),
    '~= was read as =': written.includes('~='),
    'a sign = within an option begins a correct one. Write \\= for the sign':
      /~/.test(written) && /[^\s~=%#]=/.test(written.replace(/#[^=~]*/g, '#')),
  });
  const [, truth] = /^(T|F|TRUE|FALSE)\s*(?:#|$)/i.exec(written) ?? [];
  if (truth !== undefined) {
    const isTrue = /^t/i.test(truth);
    return gradedItem(
      'truefalse',
      [graded('True', isTrue ? 100 : 0), graded('False', isTrue ? 0 : 100)],
      1,
      losses,
    );
  }
  const list = written.replace(/^#\s*(?=[^=~\s])/, '=').replace(/^#/, '');
  const found = [...list.matchAll(answer)].map(([, sign = '', percent, text = '']) => ({
    sign,
    fraction: Number(percent ?? (sign.endsWith('=') ? 100 : 0)),
    text: text.split('#')[0] ?? '',
  }));
  if (written.startsWith('#')) return gradedItem('numerical', found.map(numberOf), 1, losses);
  const choice = `multichoice ${found.some(({ fraction }) => fraction === 100) ? 'single' : 'multiple'}`;
  const options = found.map(({ text, fraction }) => {
    const [plain, own] = formatted(text, format);
    return { ...graded(restored(plain), fraction), format: own };
  });
  const hasWrong = found.some(({ sign }) => sign.startsWith('~'));
  return gradedItem(hasWrong ? choice : typeWithoutWrong(written), options, 1, losses);
}

function typeWithoutWrong(written: string): string {
  if (written === '') return 'essay';
  return written.includes('->') ? 'matching' : 'shortanswer';
}

function graded(text: string, fraction: number, margin = 0): GradedAnswer {
  return { text, format: 'plain', fraction, margin };
}

/** A number with a margin, `3:0.5`, or a range, `1..5`. */
function numberOf({
  text,
  fraction,
}: {
  readonly text: string;
  readonly fraction: number;
}): GradedAnswer {
  const [first = '', last] = text.split('..').map(Number);
  const [value = '', margin = ''] = text.trim().split(/[:\ufde5]/);
  if (typeof first !== 'number' || last === undefined)
    return graded(value, fraction, Number(margin) || 0);
  return graded(String((first + last) / 2), fraction, (last - first) / 2);
}
