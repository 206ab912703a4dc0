/** LaTeX with spaces in the place of its texts (`\text{...}`), which are prose. */
export function withoutTexts(tex: string): string {
  let rest = '';
  let last = 0;
  for (const { 0: command, index } of tex.matchAll(/\\(?:text[a-z]*|[mhf]box)\s*\{/g)) {
    if (index < last) continue;
    const from = index + command.length;
    const end = closingBrace(tex, from);
    rest += tex.slice(last, from) + ' '.repeat(end - from);
    last = end;
  }
  return rest + tex.slice(last);
}

function closingBrace(tex: string, from: number): number {
  let depth = 1;
  for (let at = from; at < tex.length; at += 1) {
    if (tex[at] === '\\') at += 1;
    else if (tex[at] === '{') depth += 1;
    else if (tex[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return tex.length;
}
