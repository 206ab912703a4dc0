/** Reads QTI 1.2, which Canvas, Blackboard, Sakai and others write, and writes packages of it. */
import querystring from 'node:querystring';
import { acceptedNumbers } from '../client/range.ts';
import { UserError } from '../release/user-error.ts';
import { type Html, html } from '../site/html.ts';
import type { Item, Markup } from './item.ts';
import { decimalOf, lossesIf } from './item.ts';
import { markupOf } from './moodle.ts';
import {
  delimited,
  type ExportedQuestion,
  optionHtml,
  packageOf,
  questionHtml,
  type Renderer,
  rendered,
} from './render.ts';
import {
  childrenOf,
  decodedText,
  type Element,
  elementsIn,
  parseXml,
  resolvedPath,
  type Source,
  textIn,
} from './source.ts';

/** Reads the items of files. @param paths of files with `questestinterop` */
export function qti12Items(
  source: Source,
  paths: readonly string[],
): { items: Item[]; notes: string[] } {
  const items: Item[] = [];
  const notes: string[] = [];
  for (const path of paths) {
    const bytes = source.read(path);
    if (!bytes) continue;
    try {
      read(parseXml(decodedText(bytes)), path, source, items);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      notes.push(`${path}: ${error.message}`);
    }
  }
  return { items, notes };
}

function read(root: Element, path: string, source: Source, items: Item[]): void {
  const visit = (parent: Element, section: string, passage: readonly Element[]) => {
    for (const child of childrenOf(parent)) {
      if (child.name === 'item') items.push(itemOf(child, section, passage, path, source));
      else if (/^(?:assessment|section|objectbank)$/.test(child.name)) {
        const title = child.name === 'section' ? (child.attributes['title'] ?? '') : '';
        const own = childrenOf(child).filter(({ name }) =>
          /^(?:presentation_material|rubric)$/.test(name),
        );
        const isPlain =
          /^(?:root(?: section)?|root_section|section ?1?|main|default)$/i.test(title) ||
          title === '';
        visit(child, isPlain ? section : title, [...passage, ...own]);
      } else if (child.name === 'questestinterop') visit(child, section, passage);
    }
  };
  visit(root, '', []);
}

/** A field of the metadata: `question_type` of Canvas, `bbmd_questiontype` of Blackboard. */
function field(item: Element, name: string): string {
  const entry = elementsIn(item, /^qtimetadatafield$/).find(
    (one) => textIn(childrenOf(one, 'fieldlabel')[0]).trim() === name,
  );
  if (entry) return textIn(childrenOf(entry, 'fieldentry')[0]).trim();
  return textIn(elementsIn(item, new RegExp(`^${name}$`))[0]).trim();
}

const text = /^(?:mattext|mat_formattedtext)$/;

/** The texts and images of a part. HTML is written as text. */
function markup(parts: readonly Element[]): Markup {
  const nodes = parts.flatMap((part) =>
    text.test(part.name) || part.name === 'matimage'
      ? [part]
      : elementsIn(part, /^(?:mattext|mat_formattedtext|matimage)$/),
  );
  return () =>
    nodes.flatMap((node) => {
      if (node.name === 'matimage')
        return [{ name: 'img', attributes: { src: node.attributes['uri'] ?? '' }, children: [] }];
      const type = `${node.attributes['texttype'] ?? ''} ${node.attributes['type'] ?? ''}`;
      const written = textIn(node);
      const isHtml = /html|smart_text/i.test(type) || /<\/?[a-z][^<>]*>|&\w+;/i.test(written);
      const inner = markupOf(written, isHtml ? 'html' : 'plain');
      return [
        {
          name: 'div',
          attributes: {},
          children: typeof inner === 'string' ? [inner] : [...inner()],
        },
      ];
    });
}

/** The values that score, how much, and the range of numbers that scores. */
function conditionsOf(item: Element) {
  return elementsIn(item, /^respcondition$/).map((condition) => {
    // Canvas also names the values that are wrong, in `not`.
    const valuesIn = (part: Element | undefined): string[] =>
      childrenOf(part).flatMap((child) => {
        if (/^var(?:equal|subset)$/.test(child.name)) return textIn(child).trim();
        return /^(?:and|or|conditionvar)$/.test(child.name) ? valuesIn(child) : [];
      });
    const [variables] = childrenOf(condition, 'conditionvar');
    const bound = (name: RegExp) => {
      const [one] = elementsIn(variables, name);
      return one ? Number(textIn(one)) : undefined;
    };
    const set = elementsIn(condition, /^setvar$/).find(
      ({ attributes }) => !/^(?:feedback)/i.test(attributes['varname'] ?? ''),
    );
    const value = textIn(set).trim();
    const isMost =
      /max/i.test(value) || (condition.attributes['title'] === 'correct' && value === '');
    return {
      values: valuesIn(variables),
      score: isMost ? 100 : Number(value) || 0,
      range: [bound(/^vargte?$/), bound(/^varlte?$/)],
    };
  });
}

function itemOf(
  item: Element,
  section: string,
  passage: readonly Element[],
  path: string,
  source: Source,
): Item {
  const kind = (field(item, 'question_type') || field(item, 'bbmd_questiontype')).toLowerCase();
  const [presentation] = childrenOf(item, 'presentation');
  const responses = elementsIn(presentation, /^response_(?:lid|str|num|xy|grp)$/);
  const [response] = responses;
  const conditions = conditionsOf(item);
  const right = conditions.filter(({ score }) => score > 0);
  const labels = elementsIn(response, /^response_label$/);
  const isMultiple =
    /multiple/i.test(response?.attributes['rcardinality'] ?? '') && !/^multiple.choice/.test(kind);
  const [best] = right.toSorted((a, b) => b.score - a.score);
  const correct = new Set(
    isMultiple && best && best.values.length > 0 && (best.score >= 100 || right.length === 1)
      ? best.values
      : right
          .filter(({ score }) => isMultiple || score === best?.score)
          .flatMap(({ values }) => values),
  );
  const isChoice =
    response?.name === 'response_lid' && elementsIn(response, /^render_choice$/).length > 0;
  const isNumber =
    /numer|calculated/.test(kind) ||
    elementsIn(response, /^render_fib$/).some(({ attributes }) =>
      /^(?:integer|decimal)$/i.test(attributes['fibtype'] ?? ''),
    );
  const type = isChoice ? (isMultiple ? 'msq' : 'mcq') : isNumber ? 'numerical' : 'text';
  const refusal =
    responses.length > 1
      ? `several interactions${kind && ` (${kind})`}`
      : !response || /essay|matching|file_upload|text_only|ordering|hot.?spot/.test(kind)
        ? `type ${kind || response?.name || 'without responses'}`
        : undefined;
  const points = Number(
    field(item, 'points_possible') ||
      field(item, 'qmd_weighting') ||
      field(item, 'qmd_absolutescore_max') ||
      '1',
  );
  const isPartial = right.some(({ score }) => score !== best?.score) && !isMultiple;
  const stem = childrenOf(presentation).flatMap(function outside(child): Element[] {
    if (/^response_/.test(child.name))
      return childrenOf(child).filter(({ name }) => name === 'material');
    if (/feedback|render_/.test(child.name)) return [];
    return /^(?:flow|flow_mat)$/.test(child.name) ? childrenOf(child).flatMap(outside) : [child];
  });
  const feedback = elementsIn(item, /^itemfeedback$/);
  const general = feedback.filter(({ attributes }) =>
    /^general|solution/i.test(attributes['ident'] ?? ''),
  );
  return {
    name: item.attributes['title'] || item.attributes['ident'] || path,
    type,
    ...(refusal !== undefined && { refusal }),
    text: markup([...passage, ...stem]),
    options: labels.map((label) => ({
      text: markup([label]),
      isCorrect: correct.has(label.attributes['ident'] ?? ''),
    })),
    answers: answersOf(right, isNumber),
    solution: markup(general),
    marking: points > 0 && points !== 1 ? { correct: points } : undefined,
    fields: { section },
    image: (reference) => imageOf(reference, path, source),
    losses: lossesIf({
      feedback:
        feedback.length > general.length && feedback.some((one) => textIn(one).trim() !== ''),
      'partial fractions': isPartial,
      'negative marks': conditions.some(({ score }) => score < 0),
      'shuffled options': elementsIn(response, /^render_choice$/).some(({ attributes }) =>
        /yes/i.test(attributes['shuffle'] ?? ''),
      ),
    }),
  };
}

/** The correct values, and for numbers their ranges. */
function answersOf(
  right: ReturnType<typeof conditionsOf>,
  isNumber: boolean,
): NonNullable<Item['answers']> {
  return right.flatMap(({ values, range: [min, max] }) => {
    const [value] = values;
    if (!isNumber || min === undefined || max === undefined)
      return values.map((one) => ({ value: one }));
    const own = Number(value ?? (min + max) / 2);
    const exact = (number: number) => Number(number.toPrecision(12));
    return [
      {
        value: value ?? (decimalOf(exact(own)) || ''),
        below: exact(own - min),
        above: exact(max - own),
      },
    ];
  });
}

/** The bytes of an image: Canvas names the folder of files by a variable. */
function imageOf(reference: string, path: string, source: Source): Uint8Array | undefined {
  const [, own] =
    /^\$IMS[-_]CC[-_]FILEBASE\$\/?(?:\.\.\/)*(.*)$/.exec(querystring.unescape(reference)) ?? [];
  const paths =
    own === undefined
      ? [resolvedPath(path, reference), resolvedPath('', reference.replace(/^\/+/, ''))]
      : [resolvedPath('', `web_resources/${own}`), resolvedPath('', own)];
  for (const one of paths) {
    const bytes = one === '' ? undefined : source.read(one);
    if (bytes) return bytes;
  }
  return undefined;
}

const renderer: Renderer = {
  formula: delimited,
  address: (file) => `$IMS-CC-FILEBASE$/${file}`,
};

/** Fields that QTI 1.2 does not have. */
export const unknownToQti12 = ['number', 'section', 'topic', 'difficulty', 'lang'];

/** Writes questions as a package that Canvas and Blackboard import. @param read returns the bytes of a diagram */
export function qti12Package(
  questions: readonly ExportedQuestion[],
  read: (file: string) => Uint8Array,
): Uint8Array {
  const items = questions.map(itemXml);
  const images = [
    ...new Set(
      items.flatMap(({ text: written }) =>
        Array.from(written.matchAll(/FILEBASE\$\/([\w.-]+)/g), ([, file = '']) => file),
      ),
    ),
  ];
  const assessment = html`<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2">
<assessment ident="paper" title="Questions"><section ident="root_section">
${items}</section></assessment>
</questestinterop>`;
  const manifest = html`<manifest identifier="package" xmlns="http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1">
<metadata><schema>IMS Content</schema><schemaversion>1.1.3</schemaversion></metadata>
<organizations/>
<resources><resource identifier="paper" type="imsqti_xmlv1p2"><file href="paper/paper.xml"/></resource>
${images.map(
  (
    file,
    index,
  ) => html`<resource identifier="image-${index + 1}" type="webcontent" href="web_resources/${file}">
<file href="web_resources/${file}"/></resource>\n`,
)}</resources>
</manifest>`;
  const texts = { 'imsmanifest.xml': manifest, 'paper/paper.xml': assessment };
  return packageOf(texts, 'web_resources', images, read);
}

const kinds = {
  mcq: 'multiple_choice_question',
  msq: 'multiple_answers_question',
  numerical: 'numerical_question',
  text: 'short_answer_question',
} as const;

function material(content: Html): Html {
  return html`<material><mattext texttype="text/html">${content.text}</mattext></material>`;
}

function itemXml(question: ExportedQuestion): Html {
  const {
    id,
    type,
    answer,
    accepted = [answer],
    options,
    diagrams = [],
    solution,
    marking,
    losses,
  } = question;
  const isChoice = options.length > 0;
  if (marking.incorrect || marking.unanswered || marking.partial) losses.add('marks');
  if (type === 'msq' && accepted.length > 1) losses.add('accepted');
  const keys = type === 'msq' ? answer.split(',') : accepted;
  const labels = options.map(
    (option) =>
      html`<response_label ident="${option.key}">${material(optionHtml(option, diagrams, renderer))}</response_label>\n`,
  );
  const response = isChoice
    ? html`<response_lid ident="response1" rcardinality="${type === 'msq' ? 'Multiple' : 'Single'}"><render_choice>
${labels}</render_choice></response_lid>`
    : html`<response_str ident="response1" rcardinality="Single">
<render_fib${type === 'numerical' ? html` fibtype="Decimal"` : ''}><response_label ident="answer1"/></render_fib></response_str>`;
  const equal = (value: string) => html`<varequal respident="response1">${value}</varequal>`;
  const conditions =
    type === 'msq'
      ? [
          html`<and>${options.map(({ key }) => (keys.includes(key) ? equal(key) : html`<not>${equal(key)}</not>`))}</and>`,
        ]
      : type === 'numerical'
        ? [numberXml(question)]
        : keys.map(equal);
  return html`<item ident="${id}" title="${id}">
<itemmetadata><qtimetadata>
<qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>${kinds[type]}</fieldentry></qtimetadatafield>
<qtimetadatafield><fieldlabel>points_possible</fieldlabel><fieldentry>${marking.correct}</fieldentry></qtimetadatafield>
</qtimetadata></itemmetadata>
<presentation>${material(questionHtml(question, renderer))}
${response}
</presentation>
<resprocessing><outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>
${conditions.map(
  (one) => html`<respcondition continue="No"><conditionvar>${one}</conditionvar>
<setvar action="Set" varname="SCORE">100</setvar></respcondition>\n`,
)}</resprocessing>
${
  solution &&
  html`<itemfeedback ident="general_fb">
<flow_mat>${material(rendered(solution, diagrams, renderer))}</flow_mat></itemfeedback>`
}
</item>\n`;
}

function numberXml(question: ExportedQuestion): Html {
  const conditions = acceptedNumbers(question).map(({ value, below, above }) => {
    const [min, max] = [-below, above].map((by) => decimalOf(Number(value) + by));
    return html`<varequal respident="response1">${value}</varequal>
<and><vargte respident="response1">${min}</vargte><varlte respident="response1">${max}</varlte></and>`;
  });
  return html`<or>${conditions}</or>`;
}
