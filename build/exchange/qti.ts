/** Reads QTI 2.x and 3: items, tests and content packages. */
import type { Marking } from '../release/resources.ts';
import { UserError } from '../release/user-error.ts';
import type { Item } from './item.ts';
import { decodedText, resolvedPath, type Source } from './source.ts';
import { childrenOf, type Element, elementsIn, type Node, parseXml, textIn } from './tree.ts';

const manifestName = 'imsmanifest.xml';

/** Reads the items of a package, in the order of its test or manifest, or of files. */
export function* qtiItems(source: Source): Generator<Item> {
  const { paths } = source;
  const seen = new Set<string>();
  const files = paths.filter((path) => /\.xml$/i.test(path) || paths.length === 1);
  for (const path of paths.includes(manifestName) ? [manifestName] : files) yield* itemsIn(path, '', source, seen);
}

/** @param section the title of the section around the file @param seen files that were read */
function* itemsIn(path: string, section: string, source: Source, seen: Set<string>): Generator<Item> {
  const bytes = seen.has(path) ? undefined : source.read(path);
  seen.add(path);
  if (!bytes) return;
  let root: Element | undefined;
  try {
    [root] = childrenOf(parseXml(decodedText(bytes)));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    yield { name: path, type: 'damaged XML', text: '', losses: [`damaged XML: ${error.message}`] };
  }
  if (root?.name === 'assessmentitem') yield itemOf(root, path, section, source);
  let title = section;
  for (const { name, attributes } of elementsIn(root, /^(?:assessmentsection|assessmentitemref|resource)$/)) {
    if (name === 'assessmentsection') title = attributes['title'] ?? title;
    const target = resolvedPath(path, attributes['href'] ?? '');
    const isItem = name === 'assessmentitemref' || /item|test/.test(attributes['type'] ?? '');
    if (isItem && target !== undefined) yield* itemsIn(target, title, source, seen);
  }
}

function itemOf(root: Element, path: string, section: string, source: Source): Item {
  const [body] = childrenOf(root, 'itembody');
  const interactions = elementsIn(body, /interaction$/);
  const [interaction] = interactions;
  const { responseidentifier: response = '' } = interaction?.attributes ?? {};
  const declaration = childrenOf(root, 'responsedeclaration').find(
    ({ attributes }) => attributes['identifier'] === response,
  );
  const { cardinality = '', basetype = '' } = declaration?.attributes ?? {};
  const isChoice = interaction?.name === 'choiceinteraction';
  const single = `${interaction?.name ?? 'no interaction'} ${isChoice ? cardinality : basetype}`;
  const isTemplate = childrenOf(root, 'templatedeclaration').length > 0;
  const type = interactions.length > 1 ? 'several interactions' : single;
  const losses = [
    ...(elementsIn(root, /feedback/).length > 0 ? ['feedback'] : []),
    ...(interaction?.attributes['shuffle'] === 'true' ? ['shuffled options'] : []),
  ];
  const rubrics = elementsIn(body, /^rubricblock$/);
  const solutions = rubrics.filter(({ attributes }) => !attributes['view']?.includes('candidate'));
  if (solutions.length < rubrics.length) losses.push('instructions');
  const [processing] = childrenOf(root, 'responseprocessing');
  const correct = correctValues(declaration);
  const [below = 0, above = below] = tolerancesOf(processing);
  const image = (file: string) => (reference: string) => {
    const target = resolvedPath(file, reference);
    return target === undefined ? undefined : source.read(target);
  };
  return {
    name: root.attributes['title'] || path,
    type: isTemplate ? 'item template' : type.trim(),
    text: () => [...stimuliOf(root, path, source), ...questionNodes(body?.children ?? [], interaction)],
    options: elementsIn(interaction, /^simplechoice$/).map(({ attributes, children }) => ({
      text: () => children,
      isCorrect: correct.includes(attributes['identifier'] ?? ''),
    })),
    numbers: correct.map((value) => ({ value, below, above })),
    solution: () => solutions.flatMap(({ children }) => children),
    marking: markingOf(processing, declaration, (what) => losses.push(what)),
    fields: { section },
    image: image(path),
    losses,
  };
}

/** The shared texts that an item refers to. */
function stimuliOf(root: Element, path: string, source: Source): Node[] {
  return childrenOf(root, 'assessmentstimulusref').flatMap(({ attributes }) => {
    const target = resolvedPath(path, attributes['href'] ?? '');
    const bytes = target === undefined ? undefined : source.read(target);
    return bytes ? elementsIn(parseXml(decodedText(bytes)), /^stimulusbody$/) : [];
  });
}

/** The body without what is answered: options leave their prompt, a field leaves a blank if it is among words. */
function questionNodes(nodes: readonly Node[], interaction: Element | undefined): Node[] {
  return nodes.flatMap((node): Node[] => {
    if (typeof node === 'string') return [node];
    if (node === interaction) return node.name === 'choiceinteraction' ? childrenOf(node, 'prompt') : ['____'];
    const isField =
      node.children.some((child) => child === interaction) && interaction?.name === 'textentryinteraction';
    if (node.name === 'rubricblock' || (isField && childrenOf(node).length === 1 && textIn(node).trim() === ''))
      return [];
    return [{ ...node, children: questionNodes(node.children, interaction) }];
  });
}

/** The values of the correct response; without one, those that score most. */
function correctValues(declaration: Element | undefined): string[] {
  const [response] = childrenOf(declaration, 'correctresponse');
  if (response) return childrenOf(response, 'value').map((value) => textIn(value).trim());
  const entries = elementsIn(declaration, /^mapentry$/).map(({ attributes }) => attributes);
  const scores = entries.map(({ mappedvalue }) => Number(mappedvalue));
  const isMultiple = declaration?.attributes['cardinality'] === 'multiple';
  const needed = isMultiple ? Number.MIN_VALUE : Math.max(...scores);
  return entries.filter((_, index) => (scores[index] ?? 0) >= needed).map(({ mapkey = '' }) => mapkey);
}

/** How far a number may be below and above the correct one. */
function tolerancesOf(processing: Element | undefined): number[] {
  const [equal] = elementsIn(processing, /^equal$/).map(({ attributes }) => attributes);
  return equal?.['tolerancemode'] === 'absolute' ? (equal['tolerance'] ?? '').trim().split(/\s+/).map(Number) : [];
}

/** The marks that response processing gives, if it is one of the usual forms. */
function markingOf(
  processing: Element | undefined,
  declaration: Element | undefined,
  lose: (what: string) => void,
): Marking | undefined {
  const template = processing?.attributes['template'] ?? '';
  if (!processing || /match_correct/.test(template)) return undefined;
  const marks = /map_response/.test(template) ? mappedMarks(declaration) : conditionMarks(processing);
  const { correct = 0, incorrect = 0, unanswered = 0 } = marks ?? {};
  if (correct > 0 && incorrect <= 0 && unanswered < correct) {
    const others = { ...(incorrect < 0 && { incorrect }), ...(unanswered !== 0 && { unanswered }) };
    return correct === 1 && Object.keys(others).length === 0 ? undefined : { correct, ...others };
  }
  lose('response processing');
  return undefined;
}

/** @returns undefined unless one value scores, and all others the same */
function mappedMarks(declaration: Element | undefined): Partial<Marking> | undefined {
  const [mapping] = childrenOf(declaration, 'mapping');
  const scores = childrenOf(mapping, 'mapentry').map(({ attributes }) => Number(attributes['mappedvalue']));
  const [correct = 0, ...others] = scores.toSorted((a, b) => b - a);
  const incorrect = Number(mapping?.attributes['defaultvalue'] ?? 0);
  const isMultiple = declaration?.attributes['cardinality'] === 'multiple';
  return isMultiple || others.some((score) => score !== incorrect) ? undefined : { correct, incorrect };
}

/** Marks set by one condition: if the response matches; if there is none; else. */
function conditionMarks(processing: Element): Partial<Marking> | undefined {
  const [condition, ...more] = childrenOf(processing);
  const marks: Record<string, number> = {};
  for (const branch of childrenOf(condition)) {
    const [test, outcome] = branch.name === 'responseelse' ? [undefined, childrenOf(branch)[0]] : childrenOf(branch);
    const fields: Readonly<Record<string, string>> = { match: 'correct', equal: 'correct', isnull: 'unanswered' };
    const field = test ? fields[test.name] : 'incorrect';
    const [value] = elementsIn(outcome, /^basevalue$/);
    if (field === undefined || outcome?.attributes['identifier'] !== 'SCORE' || !value) return undefined;
    marks[field] = Number(textIn(value));
  }
  return more.length > 0 ? undefined : marks;
}
