/** Reads QTI 2.x and 3: items, tests and content packages. */
import { UserError } from '../release/user-error.ts';
import type { Item } from './item.ts';
import {
  childrenOf,
  decodedText,
  type Element,
  elementsIn,
  type Node,
  parseXml,
  resolvedPath,
  type Source,
  textIn,
} from './source.ts';

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
    root = parseXml(decodedText(bytes));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    yield { name: path, type: 'damaged XML', text: '', losses: [`damaged XML: ${error.message}`] };
  }
  if (root?.name === 'assessmentitem') yield itemOf(root, path, section, source);
  let title = section;
  for (const { name, attributes } of elementsIn(root, /^(?:assessmentsection|assessmentitemref|resource)$/)) {
    if (name === 'assessmentsection') title = attributes['title'] ?? title;
    if (name === 'assessmentitemref' || /item|test/.test(attributes['type'] ?? ''))
      yield* itemsIn(resolvedPath(path, attributes['href']), title, source, seen);
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
  const [processing] = childrenOf(root, 'responseprocessing');
  const [below, above = below] = tolerancesOf(processing);
  const usual = cardinality === 'multiple' ? /match/ : /match|map_response/;
  const isSimple = below !== undefined || usual.test(processing ? (processing.attributes['template'] ?? '') : 'match');
  const isTemplate = childrenOf(root, 'templatedeclaration').length > 0;
  const type = interactions.length > 1 ? 'several interactions' : single;
  const losses = [
    ...(elementsIn(root, /feedback/).length > 0 ? ['feedback'] : []),
    ...(interaction?.attributes['shuffle'] === 'true' ? ['shuffled options'] : []),
    ...(isSimple ? [] : ['response processing']),
  ];
  const rubrics = elementsIn(body, /^rubricblock$/);
  const solutions = rubrics.filter(({ attributes }) => !attributes['view']?.includes('candidate'));
  if (solutions.length < rubrics.length) losses.push('instructions');
  const correct = correctValues(declaration);
  return {
    name: root.attributes['title'] || path,
    type: isTemplate ? 'item template' : type.trim(),
    text: () => [...stimuliOf(root, path, source), ...questionNodes(body?.children ?? [], interaction)],
    options: elementsIn(interaction, /^simplechoice$/).map(({ attributes, children }) => ({
      text: () => children,
      isCorrect: correct.includes(attributes['identifier'] ?? ''),
    })),
    answers: correct.map((value) => ({ value, below: below ?? 0, above: above ?? 0 })),
    solution: () => solutions.flatMap(({ children }) => children),
    fields: { section },
    image: (reference) => source.read(resolvedPath(path, reference)),
    losses,
  };
}

/** The shared texts that an item refers to. */
function stimuliOf(root: Element, path: string, source: Source): Node[] {
  return childrenOf(root, 'assessmentstimulusref').flatMap(({ attributes }) => {
    const bytes = source.read(resolvedPath(path, attributes['href']));
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

/** The values of the correct response, and those that score most. */
function correctValues(declaration: Element | undefined): string[] {
  const values = elementsIn(childrenOf(declaration, 'correctresponse')[0], /^value$/).map((value) =>
    textIn(value).trim(),
  );
  const isMultiple = declaration?.attributes['cardinality'] === 'multiple';
  const entries = elementsIn(declaration, /^mapentry$/).map(
    ({ attributes: { mapkey = '', mappedvalue } }) => [mapkey, Number(mappedvalue)] as const,
  );
  const most = entries.reduce((highest, [, score]) => Math.max(highest, score), 0);
  const best = entries.filter(([, score]) => score > 0 && (isMultiple || score === most)).map(([key]) => key);
  return isMultiple && values.length > 0 ? values : [...new Set([...values, ...best])];
}

/** How far a number may be below and above the correct one. */
function tolerancesOf(processing: Element | undefined): number[] {
  const [equal] = elementsIn(processing, /^equal$/).map(({ attributes }) => attributes);
  return equal?.['tolerancemode'] === 'absolute' ? (equal['tolerance'] ?? '').trim().split(/\s+/).map(Number) : [];
}
