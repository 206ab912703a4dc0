/** Runs in a page before its own scripts, and records measurements for `page-load.ts`. */
const watched = { firstPaint: 0, largestPaint: 0, ready: 0, tasks: [], shift: 0 };
globalThis.watched = watched;

/** Records entries of a type, including those before the observer started. */
function watch(type, note) {
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
    type,
    buffered: true,
  });
}

watch('paint', ({ name, startTime }) => {
  if (name === 'first-contentful-paint') watched.firstPaint = startTime;
});
watch('largest-contentful-paint', ({ startTime }) => {
  watched.largestPaint = startTime;
});
watch('longtask', ({ startTime, duration }) => {
  watched.tasks.push({ start: startTime, took: duration });
});
watch('layout-shift', ({ value }) => {
  watched.shift += value;
});
document.addEventListener('DOMContentLoaded', () => {
  watched.ready = performance.now();
});
