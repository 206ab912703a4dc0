/** Reads GIFT, a text format of Moodle. */
import type { Item } from './item.ts';
import { type GradedAnswer, gradedItem, markupOf, topicOf } from './moodle.ts';

/** Signs that a backslash makes ordinary, and the characters in their place until the structure is known. */
const escapable = '~=#{}:\\';
const firstStandIn = 0xe000;
const standIns = /[\ue000-\ue006]/g;

/** Reads the questions of a GIFT file. Blank lines separate them. */
export function* giftItems(text: string): Generator<Item> {
  let topic = '';
  const lines = text
    .replace(standIns, '')
    .replace(/\r\n?/g, '\n')
    .replace(/^[ \t]*\/\/.*$/gm, '');
  for (const block of lines.split(/\n[ \t]*\n\s*/)) {
    const written = block
      .replace(/\\([~=#{}:\\])/g, (_, sign: string) =>
        String.fromCharCode(firstStandIn + escapable.indexOf(sign)),
      )
      .trim();
    const [, category] = /^\$CATEGORY:(.*)/.exec(written) ?? [];
    topic = category === undefined ? topic : topicOf(restored(category));
    const rest = written.replace(/^\$CATEGORY:.*\n?/, '').trim();
    if (rest !== '') yield itemOf(rest, topic);
  }
}

function restored(text: string): string {
  return text
    .replace(/\\n/g, '\n')
    .replace(standIns, (sign) => escapable[sign.charCodeAt(0) - firstStandIn] ?? '')
    .trim();
}

function itemOf(block: string, topic: string): Item {
  const [, title = '', untitled = block] = /^::((?:(?!::).)*)::(.*)$/s.exec(block) ?? [];
  const [, format = 'moodle', body = untitled] =
    /^\s*\[(html|moodle|plain|markdown)\](.*)$/s.exec(untitled) ?? [];
  const open = body.indexOf('{');
  const close = body.lastIndexOf('}');
  const hasAnswers = open >= 0 && close > open;
  const before = hasAnswers ? body.slice(0, open) : body;
  const after = hasAnswers ? body.slice(close + 1).trim() : '';
  const [written = '', ...general] = body.slice(open + 1, Math.max(open + 1, close)).split('####');
  const isBlank = /[\p{L}\p{N}]/u.test(after);
  return {
    name: restored(title) || restored(before).slice(0, 60),
    text: markupOf(restored(isBlank ? `${before.trimEnd()} ____ ${after}` : before), format),
    solution: markupOf(restored(general.join(' ')), format),
    fields: { topic },
    ...answersOf(hasAnswers ? written.trim() : undefined, format),
  };
}

/** An answer: its sign, percent of the marks, text and feedback. */
const answer = /([=~])\s*(?:%(-?[\d.]+)%)?([^=~]*)/g;

/** @param written what is between the braces; undefined without any */
function answersOf(written: string | undefined, format: string) {
  if (written === undefined) return gradedItem('description', [], 1, []);
  const losses = /#./s.test(written.slice(1)) ? ['feedback'] : [];
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
  const found = [...list.matchAll(answer)].map(([, sign, percent, text = '']) => ({
    sign,
    fraction: Number(percent ?? (sign === '=' ? 100 : 0)),
    text: text.split('#')[0] ?? '',
  }));
  if (written.startsWith('#')) return gradedItem('numerical', found.map(numberOf), 1, losses);
  const choice = `multichoice ${found.some(({ fraction }) => fraction === 100) ? 'single' : 'multiple'}`;
  const answers = found.map(({ text, fraction }) => {
    const [, own = format, plain = text] = /^\[(\w+)\](.*)$/s.exec(text) ?? [];
    return { ...graded(restored(plain), fraction), format: own };
  });
  const hasWrong = found.some(({ sign }) => sign === '~');
  return gradedItem(hasWrong ? choice : typeWithoutWrong(written), answers, 1, losses);
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
  const [value = '', margin = ''] = text.trim().split(/[:\ue005]/);
  if (typeof first !== 'number' || last === undefined)
    return graded(value, fraction, Number(margin) || 0);
  return graded(String((first + last) / 2), fraction, (last - first) / 2);
}
