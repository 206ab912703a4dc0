/** The script of every page: the way to the search, the links that follow scrolling, and code samples. */
import { element, makeScrollersFocusable } from './elements.ts';
import { enableSamples } from './samples.ts';

enableSearch();
enableSamples();
followScrolling();
if (document.querySelector('.set'))
  new ResizeObserver(makeScrollersFocusable).observe(document.body);

/** Loads the search when its field gets the focus, which `/` and Ctrl+K move there. */
function enableSearch(): void {
  const input = element('search', HTMLInputElement);
  const { script = '' } = input.dataset;
  input.addEventListener('focus', () => void import(script).catch(() => {}));
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    const isTyping = (target as Element).matches('input, select, textarea');
    const isPressed = ctrlKey || metaKey;
    if (key === 'k' ? !isPressed : key !== '/' || isTyping || isPressed || altKey) return;
    event.preventDefault();
    input.select();
  });
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
      isAtEnd && scrollY > 0 ? last : tops.filter((top) => top < innerHeight / 6).length - 1;
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
