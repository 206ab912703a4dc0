/** Tools of the Model Context Protocol: a language model selects questions, and shows answers only when asked to. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { Question } from '../release/resources.ts';
import type { Bank } from './client.ts';
import { PastpaperError } from './errors.ts';
import { answerFields } from './range.ts';
import { score } from './score.ts';

const text = z.string();
const several = z.array(z.string()).optional();
const id = text.describe('The id of the question.');

/** Questions that one call returns: a model that wants more asks again, with `except`. */
const mostQuestions = 50;

/** What tells the answer of a question. */
const answers: ReadonlySet<string> = new Set([...answerFields, 'dropped', 'solution']);

function withoutAnswer(question: Question) {
  const isShown = ([name]: [string, unknown]) => name === 'dropped' || !answers.has(name);
  return Object.fromEntries(Object.entries(question).filter(isShown));
}

/** A server of the Model Context Protocol for a bank. Requests are counted by the key of the bank. */
export function mcpServer(bank: Bank): McpServer {
  const server = new McpServer({ name: 'pastpaper', version: '1.0.0' });

  /** Registers a tool that only reads; its errors are texts that the model can act on. */
  function tool<Shape extends z.ZodRawShape>(
    name: string,
    description: string,
    inputSchema: Shape,
    run: (input: z.infer<z.ZodObject<Shape>>) => Promise<unknown>,
  ): void {
    const annotations = { readOnlyHint: true };
    server.registerTool(name, { description, inputSchema, annotations }, (async (input: never) => {
      try {
        return { content: [{ type: 'text', text: JSON.stringify(await run(input)) }] };
      } catch (error) {
        if (!(error instanceof PastpaperError)) throw error;
        return { isError: true, content: [{ type: 'text', text: error.message }] };
      }
    }) as never);
  }

  /** A question with its passage and place. */
  async function whole(question: Question) {
    const place = bank.place(question);
    const passage = question.passage && (await bank.passage(question));
    return { ...withoutAnswer(question), ...place, passage };
  }

  tool('list_exams', 'Lists the exams of the bank, with their years.', {}, () =>
    bank.exams().then((exams) => ({ exams })),
  );
  tool(
    'list_papers',
    'Lists the papers of an exam, a year or a shift.',
    { scope: text.describe('neet, neet/2024, neet/2024/s1') },
    async ({ scope }) => ({ papers: await bank.papers(scope) }),
  );
  tool(
    'select_questions',
    'Selects questions, without their answers. The same seed selects the same questions.',
    {
      exam: text.optional(),
      years: z.array(z.number().int()).optional(),
      subject: several,
      topic: several,
      difficulty: several.describe('easy, medium, hard'),
      type: several.describe('mcq, msq, numerical, text'),
      count: z.number().int().min(1).max(mostQuestions).default(10),
      seed: text.optional(),
      except: several.describe('Ids of questions that the student has seen.'),
    },
    async (selection) => ({
      questions: await Promise.all((await bank.select(selection)).map(whole)),
    }),
  );
  tool(
    'get_question',
    'Gets a question. Its answer is left out unless `answer` is true: ask for it only after the student has answered.',
    { id, answer: z.boolean().default(false) },
    async ({ id, answer }) => {
      const question = await bank.question(id);
      return { ...(answer ? question : undefined), ...(await whole(question)) };
    },
  );
  tool(
    'check_answer',
    'Says whether a response is right, and its marks. It does not tell the answer.',
    {
      id,
      response: text.describe('A key (B), keys joined by commas (A,C), a number, or a text.'),
    },
    async ({ id, response }) => {
      const question = await bank.question(id);
      const isRight = score({ ...question, marking: { correct: 1 } }, response) === 1;
      return {
        correct: isRight,
        dropped: question.dropped ?? false,
        marks: score(question, response),
      };
    },
  );
  tool(
    'explain',
    'Gives the answer and the solution of a question, the source of the paper and the official answer key.',
    { id },
    async ({ id }) => {
      const question = await bank.question(id);
      const told = Object.entries(question).filter(([name]) => answers.has(name));
      const paper = await bank.paperOf(question);
      const { source, metadata } = paper;
      const { answerKey, booklet } = metadata;
      const report = await bank.report(question);
      const context = { source, answerKey, booklet, report, ...bank.place(question) };
      return { id, ...Object.fromEntries(told), ...context };
    },
  );
  return server;
}
