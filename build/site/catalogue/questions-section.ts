import { type Html, html } from '../html.ts';
import { barChart, difficultyLegend } from './bar-chart.ts';
import { mostOf } from './bars.ts';
import type { SubjectTally, TopicTally } from './catalogue.ts';
import { difficultyTable, tallyTable } from './number-tables.ts';
import { difficulties, sumOf } from './tally.ts';
import { titleOf } from './titles.ts';

type Subjects = readonly Pick<SubjectTally, 'name' | 'tally'>[];

/** Questions by subject, and by difficulty alone. */
export function questionsSection(subjects: Subjects): Html {
  return html`<section aria-labelledby="questions">
<h2 id="questions">Questions</h2>
${difficultyLegend}
<div class="charts">
<div><h3>By subject</h3>
${bySubject(subjects)}</div>
<div><h3>By difficulty</h3>
${byDifficulty(subjects)}</div>
</div>
</section>`;
}

/** Questions by topic: a chart a subject, all on one scale, so that their bars can be compared. */
export function topicsSection(subjects: readonly SubjectTally[]): Html {
  const most = Math.max(...subjects.map(({ topics }) => mostOf(topics)));
  return html`<section aria-labelledby="topics">
<h2 id="topics">Topics</h2>
${difficultyLegend}
<div class="charts">
${subjects.map(({ name, topics }) => html`<div><h3>${titleOf(name)}</h3>\n${byTopic(name, topics, most)}</div>\n`)}</div>
</section>`;
}

function bySubject(subjects: Subjects): Html {
  const title = 'Questions by subject';
  const rows = subjects.map(({ name, tally }) => ({ name: titleOf(name), tally }));
  return barChart({
    title,
    noun: 'subject',
    rows,
    most: mostOf(rows),
    numbers: tallyTable(title, 'subject', rows),
  });
}

function byDifficulty(subjects: Subjects): Html {
  const title = 'Questions by difficulty';
  const all = sumOf(subjects.map(({ tally }) => tally));
  const rows = difficulties.map((difficulty) => ({
    name: titleOf(difficulty),
    tally: { ...sumOf([]), [difficulty]: all[difficulty] },
  }));
  return barChart({
    title,
    noun: 'difficulty',
    rows,
    most: mostOf(rows),
    numbers: difficultyTable(title, all),
  });
}

function byTopic(subject: string, topics: readonly TopicTally[], most: number): Html {
  const title = `${titleOf(subject)} questions by topic`;
  return barChart({
    title,
    noun: 'topic',
    rows: topics,
    most,
    numbers: tallyTable(title, 'topic', topics),
  });
}
