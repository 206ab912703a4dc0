/**
 * The script of every page: the theme, the links that follow scrolling, and code samples. It is no module, and runs
 * before the first paint, so that a page is not painted in another theme first.
 */
import { element, makeScrollersFocusable, readChoice, storeChoice } from './elements.ts';
import { enableSamples } from './samples.ts';

const { style } = document.documentElement;
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

showTheme();
addEventListener('DOMContentLoaded', () => {
  enableThemeButton();
  enableSamples();
  followScrolling();
  if (document.querySelector('.set'))
    new ResizeObserver(makeScrollersFocusable).observe(document.body);
});

/** Shows the stored theme; without one, that of the system. */
function showTheme(): void {
  style.colorScheme = readChoice('theme') ?? '';
}

function isDark(): boolean {
  return style.colorScheme === '' ? prefersDark.matches : style.colorScheme === 'dark';
}

/** Shows the button that switches the theme. Choosing the theme of the system follows the system again. */
function enableThemeButton(): void {
  const button = element('theme', HTMLButtonElement);
  const showState = () => button.setAttribute('aria-pressed', String(isDark()));
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    storeChoice('theme', (theme === 'dark') === prefersDark.matches ? undefined : theme);
    showTheme();
    showState();
  });
  prefersDark.addEventListener('change', showState);
  showState();
  button.hidden = false;
}

/** Marks the link to the section that is read with `aria-current`, and keeps it in view in its list. */
function followScrolling(): void {
  const sections = Array.from(
    document.querySelectorAll<HTMLAnchorElement>('.contents a[href^="#"]'),
    (link) => ({
      link,
      heading: element(link.hash.slice(1)),
    }),
  );
  let current: HTMLAnchorElement | undefined;

  function follow(): void {
    const tops = sections.map(({ heading }) => heading.getBoundingClientRect().top);
    const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
    const target = sections.findIndex(({ link }) => link.hash === location.hash);
    // The last sections may be too short to be scrolled to the top.
    const last = (tops[target] ?? -1) >= 0 ? target : tops.length - 1;
    const index =
      isAtEnd && scrollY > 0 ? last : tops.filter((top) => top < innerHeight / 4).length - 1;
    const link = sections[index]?.link;
    if (link === current) return;
    current?.removeAttribute('aria-current');
    current = link;
    link?.setAttribute('aria-current', 'location');
    const list = link?.closest('.contents');
    if (link && list) list.scrollTop = link.offsetTop - list.clientHeight / 2;
  }

  addEventListener('scroll', follow, { passive: true });
  addEventListener('resize', follow);
  follow();
}
