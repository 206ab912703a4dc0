/**
 * SVG files that try to run, load, link, hide or exhaust something, by the categories of published lists (PortSwigger's XSS
 * cheat sheet, html5sec, the tests of DOMPurify and svg-hush), and drawings that do not.
 */
import { attributes, elements, properties } from '../../build/content/svg.ts';
import { png } from './image-bytes.ts';

export type SvgCase = readonly [name: string, content: string | Buffer];

/** By what is in them. */
type Drawings = Readonly<Record<string, string | Buffer>>;

const svgNs = 'http://www.w3.org/2000/svg';
const htmlNs = 'http://www.w3.org/1999/xhtml';
const evil = 'https://evil.example';
const pixel = `data:image/png;base64,${png(1, 1).toString('base64')}`;
const svgData = `data:image/svg+xml,%3Csvg xmlns='${svgNs}' id='a' onload='alert(1)'/%3E`;

/** A drawing of 30 by 20 pixels. */
export function drawing(content: string, attributes = '', prologue = ''): string {
  const namespaces = `xmlns="${svgNs}" xmlns:xlink="http://www.w3.org/1999/xlink"`;
  return `${prologue}<svg ${namespaces} width="30" height="20"${attributes && ` ${attributes}`}>${content}</svg>`;
}

const html = (content: string) =>
  drawing(`<foreignObject width="30" height="20"><body xmlns="${htmlNs}">${content}</body></foreignObject>`);
const direct = (content: string) => drawing(content, `xmlns:h="${htmlNs}"`);
const sheet = (css: string) => drawing(`<style>${css}</style><rect width="9" height="9"/><text y="9">x</text>`);
const rect = (attributes: string) => drawing(`<rect width="9" height="9" ${attributes}/>`);
const doctype = (subset: string, content = '<path d="M0 0h9"/>', attributes = '') =>
  drawing(content, attributes, `<!DOCTYPE svg [${subset}]>`);
const declared = (encoding: string, content: string) =>
  Buffer.from(drawing(content, '', `<?xml version="1.0" encoding="${encoding}"?>`), 'latin1');
const utf32 = (text: string) => Buffer.concat([...text].map((one) => Buffer.from([0, 0, 0, one.charCodeAt(0)])));

const script = '<script>alert(1)</script>';
const circle = '<circle r="5"/>';
const expired = drawing(script);

const scripts: Drawings = {
  'a script': expired,
  'a script in CDATA': drawing('<script><![CDATA[alert(1)]]></script>'),
  'a script by xlink': drawing(`<script xlink:href="${evil}/a.js"/>`),
  'a module': drawing('<script type="module">alert(1)</script>'),
  'a script with a prefix': drawing('<s:script>alert(1)</s:script>', `xmlns:s="${svgNs}"`),
  'a script with a prefix beyond ASCII': drawing('<é:script>alert(1)</é:script>', `xmlns:é="${svgNs}"`),
  'a script with a prefix that has a dot': drawing('<s.t:script>alert(1)</s.t:script>', `xmlns:s.t="${svgNs}"`),
  'a script whose namespace is a character reference': drawing(
    '<s:script>alert(1)</s:script>',
    'xmlns:s="http://www.w3.org/2000/sv&#103;"',
  ),
  'a script of HTML': direct('<h:script>alert(1)</h:script>'),
  'a script of HTML as default namespace': drawing(`<script xmlns="${htmlNs}">alert(1)</script>`),
  'a script in a title': drawing(`<title>${script}</title>`),
  'a script in a description': drawing(`<desc>${script}</desc>`),
  'a script in metadata': drawing(`<metadata>${script}</metadata>`),
  'a script in a style': drawing(`<style>${script}</style>`),
  'a script in definitions that are used': drawing(`<defs><g id="a">${script}</g></defs><use href="#a"/>`),
  'a script in a switch': drawing(`<switch>${script}</switch>`),
  'a script after the root element': `${drawing('')}<script xmlns="${svgNs}">alert(1)</script>`,
  'a script of SVG Tiny': drawing('<handler type="application/ecmascript">alert(1)</handler>'),
  'a listener of XML Events': drawing(
    '<ev:listener ev:event="load" ev:handler="#a"/>',
    'xmlns:ev="http://www.w3.org/2001/xml-events"',
  ),
  'a script after a comment that HTML ends early': drawing(`<!--><!-->${script}`),
  'a script after a section that HTML ends early': drawing(`<![CDATA[>]]>${script}`),
};

const handlers: Drawings = {
  'onload of the root': drawing('', 'onload="alert(1)"'),
  'onload over several lines': drawing('', 'onload\n=\n"alert(1)"'),
  'onload with character references': drawing('', 'onload="&#97;lert&#x28;1)"'),
  onclick: drawing('<circle r="5" onclick="alert(1)"/>'),
  'onfocus with autofocus': drawing('', 'onfocus="alert(1)" autofocus="autofocus" tabindex="1"'),
  'onfocusin of an element with tabindex': drawing('<g id="x" tabindex="0" autofocus="" onfocusin="alert(1)"/>'),
  'onbegin of an animation': drawing('<animate attributeName="x" dur="1s" onbegin="alert(1)"/>'),
  onanimationstart: sheet('@keyframes k {} rect { animation: k 1s }').replace(
    '<rect',
    '<rect onanimationstart="alert(1)"',
  ),
  'onload in capitals': drawing('', 'ONLOAD="alert(1)"'),
  'an unknown handler': drawing('', 'onwhatever="alert(1)"'),
};

const doctypes: Drawings = {
  'a DOCTYPE': drawing(
    circle,
    '',
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">',
  ),
  'a default value of onload': doctype('<!ATTLIST svg onload CDATA "alert(1)">'),
  'a default value of href': doctype('<!ATTLIST a xlink:href CDATA "javascript:alert(1)">', `<a>${circle}</a>`),
  'a default namespace': doctype(`<!ATTLIST b xmlns CDATA "${htmlNs}">`, '<b/>'),
  'an entity that is a script': doctype(`<!ENTITY a '<script xmlns="${svgNs}">alert(1)</script>'>`, '&a;'),
  'an entity in a handler': doctype('<!ENTITY a "alert(1)">', '', 'onload="&a;"'),
  'an external entity': doctype('<!ENTITY a SYSTEM "file:///etc/passwd">', '<text y="9">&a;</text>'),
  'an entity of another site': doctype(`<!ENTITY a SYSTEM "${evil}/a">`, '<text y="9">&a;</text>'),
  'a parameter entity': doctype(`<!ENTITY % a SYSTEM "${evil}/a.dtd"> %a;`),
  'entities of entities': doctype(
    `<!ENTITY a "x"><!ENTITY b "${'&a;'.repeat(99)}"><!ENTITY c "${'&b;'.repeat(99)}">`,
    '<text>&c;</text>',
  ),
  'an entity of HTML': drawing('<text>&eacute;</text>'),
  'a DOCTYPE in which the drawing begins': `<!DOCTYPE svg [${drawing(script)}`,
  'a declaration in the content': drawing('<!ATTLIST svg onload CDATA "alert(1)">'),
};

const links: Drawings = {
  'a link': drawing(`<a href="${evil}/">${circle}</a>`),
  'a link that runs a program': drawing(`<a href="javascript:alert(1)">${circle}</a>`),
  'a link with another prefix of xlink': drawing(
    `<a l:href="javascript:alert(1)">${circle}</a>`,
    'xmlns:l="http://www.w3.org/1999/xlink"',
  ),
  'a program with a tab in its scheme': drawing(`<a href="java&#9;script:alert(1)">${circle}</a>`),
  'a program with a control character before it': drawing(`<a href="&#10;javascript:alert(1)">${circle}</a>`),
  'a program in capitals with references': drawing(`<a href="JAVA&#83;CRIPT&#x3a;alert(1)">${circle}</a>`),
  'a link to a data URL': drawing(`<a href="data:text/html,&lt;script>alert(1)&lt;/script>">${circle}</a>`),
  'a link of MathML': drawing(
    '<math xmlns="http://www.w3.org/1998/Math/MathML" href="javascript:alert(1)"><mi>x</mi></math>',
  ),
  'a link of HTML': direct(`<h:a href="${evil}/">x</h:a>`),
  'a link with ping': drawing(`<a href="#a" ping="${evil}/">${circle}</a>`),
  'a link that is animated to a program': drawing(
    `<a><animate attributeName="href" values="javascript:alert(1)"/>${circle}</a>`,
  ),
};

const htmlInside: Drawings = {
  'HTML with a script': html(script),
  'a frame of a program': html('<iframe src="javascript:alert(1)"></iframe>'),
  'a frame with a document': html('<iframe srcdoc="&lt;script>alert(1)&lt;/script>"></iframe>'),
  'a field with focus': html('<input autofocus="" onfocus="alert(1)"/>'),
  'a base address': direct(`<h:base href="${evil}/"/><image href="a.png"/>`),
  'a refresh outside of foreignObject': direct(`<h:meta http-equiv="refresh" content="0;url=${evil}/"/>`),
  'a style sheet of HTML': direct(`<h:link rel="stylesheet" href="${evil}/a.css"/>`),
  'HTML in metadata': drawing(`<metadata><h:img src="x" onerror="alert(1)"/></metadata>`, `xmlns:h="${htmlNs}"`),
  'HTML in a title': drawing(`<title><img xmlns="${htmlNs}" src="x" onerror="alert(1)"/></title>`),
  'a frame in the namespace of SVG': drawing(`<iframe src="${evil}/"/>`),
  'a video in the namespace of SVG': drawing(`<video href="${evil}/a.mp4"/>`),
  'a document of HTML named SVG': `<svg xmlns="${htmlNs}" width="30" height="20"><script>alert(1)</script></svg>`,
  'a document without a namespace': `<svg width="30" height="20"><script xmlns="${htmlNs}">alert(1)</script></svg>`,
};

const addresses: Drawings = {
  'an image of another site': drawing(`<image href="${evil}/a.png" width="9" height="9"/>`),
  'an image without a scheme': drawing('<image href="//evil.example/a.png" width="9" height="9"/>'),
  'an image beside the file': drawing('<image href="a.png" width="9" height="9"/>'),
  'an image of the disk': drawing('<image href="file:///etc/passwd" width="9" height="9"/>'),
  'an image that is the file itself': drawing('<image href="#a" width="9" height="9"/>'),
  'an image that is SVG': drawing(`<image href="${svgData}" width="9" height="9"/>`),
  'an image that is HTML': drawing('<image href="data:text/html;base64,PGI+" width="9" height="9"/>'),
  'an image with src': drawing(`<image src="${evil}/a.png"/>`),
  'a use of another site': drawing(`<use href="${evil}/a.svg#a"/>`),
  'a use of the file with a query': drawing('<use href="?x#a"/>'),
  'a use of a data URL': drawing(`<use href="${svgData}#a"/>`),
  'a use of a base64 data URL': drawing(
    `<use href="data:image/svg+xml;base64,${Buffer.from(expired).toString('base64')}#a"/>`,
  ),
  'a use of nothing': drawing('<use href=""/>'),
  'an image of a filter': drawing(
    `<filter id="a"><feImage href="${evil}/a.png"/></filter><rect width="9" height="9" filter="url(#a)"/>`,
  ),
  'a pattern of another site': drawing(`<pattern xlink:href="${evil}/a.svg#a"/>`),
  'a font of another site': drawing(
    `<font-face><font-face-src><font-face-uri xlink:href="${evil}/a.svg#f"/></font-face-src></font-face>`,
  ),
  'a base address by xml:base': drawing('<image href="a.png"/>', `xml:base="${evil}/"`),
  'an external style sheet': drawing(circle, '', `<?xml-stylesheet href="${evil}/a.css"?>`),
  'a transformation by XSLT': drawing(circle, '', `<?xml-stylesheet type="text/xsl" href="data:text/xsl,x"?>`),
  'an instruction in the content': drawing('<?php echo 1 ?>'),
  'an animated image': drawing(
    `<image width="9" height="9"><animate attributeName="href" values="${evil}/a.png"/></image>`,
  ),
  'an animation to a handler': drawing('<set attributeName="onmouseover" to="alert(1)"/>'),
};

const external = `url(${evil}/a.svg#a)`;
const styles: Drawings = {
  ...Object.fromEntries(
    'fill stroke filter mask clip-path marker-start marker cursor'
      .split(' ')
      .map((name) => [`${name} of another site`, rect(`${name}="${external}"`)]),
  ),
  'fill of another file': rect('fill="url(a.svg#a)"'),
  'fill in quotation marks': rect(`fill="url('${evil}/a.svg#a')"`),
  'fill with a fallback': rect(`fill="url(#a) ${external}"`),
  'fill in capitals': rect(`fill="URL(${evil}/a.svg#a)"`),
  'fill of a data URL': rect(`fill="url(${svgData.replaceAll("'", '&quot;')}#a)"`),
  'a style with an address': rect(`style="fill: ${external}"`),
  'a style with a background': rect(`style="background: url(${evil}/a.png)"`),
  'a style with an escape': rect(`style="fill: \\75rl(${evil}/a.svg#a)"`),
  'a style with character references': rect(`style="fill: &#117;rl(${evil}/a.svg#a)"`),
  'a style with a custom property': rect(`style="--a: ${external}; fill: var(--a)"`),
  'a style with a comment in a string': rect(`style="font-family: '/*'; background: url(${evil}/a.png); color: '*/'"`),
  'a style with a string in a comment': rect(`style="/* ' */ background: url(${evil}/a.png); /* ' */"`),
  'a style with a behaviour': rect(`style="behavior: url(${evil}/a.htc)"`),
  'a style with an expression': rect('style="width: expression(alert(1))"'),
  'a sheet that imports': sheet(`@import "${evil}/a.css";`),
  'a sheet that imports in CDATA': sheet(`<![CDATA[@import "${evil}/a.css";]]>`),
  'a sheet that imports around a comment': sheet(`@im<!-- -->port "${evil}/a.css";`),
  'a sheet that imports with an escape': sheet(`@\\69mport "${evil}/a.css";`),
  'a sheet with image-set': sheet(`svg { background-image: image-set("${evil}/a.png" 1x) }`),
  'a sheet with a font': sheet(`@font-face { font-family: a; src: url(${evil}/a.woff2) } text { font-family: a }`),
  'a sheet with a media query': sheet(`@media all { svg { background: url(${evil}/a.png) } }`),
  'a sheet with a namespace': sheet(`@namespace a url(${evil}/);`),
  'a sheet with an animation': sheet('@keyframes k { to { x: 9px } } rect { animation: k 1s infinite }'),
  'a sheet with an unclosed comment': sheet(`svg { background: url(${evil}/a.png) } /*`),
  'a sheet with an unclosed string': sheet(`svg { font-family: "a\n} svg { background: url(${evil}/a.png) }`),
  'a sheet with an unclosed rule': sheet(`svg { background: url(${evil}/a.png)`),
  'a sheet whose string has a comment': sheet(
    `svg { font-family: "/*" } svg { background: url(${evil}/a.png) } text { font-family: "*/" }`,
  ),
  'a sheet with nested rules': sheet(`svg { &amp; { background: url(${evil}/a.png) } }`),
  'a sheet with a prefix': drawing(`<s:style>svg { background: url(${evil}/a.png) }</s:style>`, `xmlns:s="${svgNs}"`),
  'a sheet with an element inside': drawing(`<style>svg { background: <g/>url(${evil}/a.png) }</style>`),
};

/** In ISO-2022-JP the three bytes after `ESC $ B` are no end of a comment. */
const hiddenByEscape = `<g><!--\x1b$B-->!\x1b(B<text class="-->${script}<!--">x</text>--></g>`;

const encodings: Drawings = {
  'ISO-2022-JP': declared('ISO-2022-JP', hiddenByEscape),
  'ISO-2022-JP that is not declared': Buffer.from(drawing(hiddenByEscape), 'latin1'),
  'UTF-7': declared('UTF-7', '<desc>+ADw-script+AD4-alert(1)+ADw-/script+AD4-</desc>'),
  Shift_JIS: declared('Shift_JIS', '<desc class="\x81" id="onload=alert(1) "/>'),
  'ISO-8859-1': declared('ISO-8859-1', '<desc>\xe9</desc>'),
  'UTF-16 that is not': declared('UTF-16', circle),
  'UTF-16 with the low byte first': Buffer.from(`\ufeff${expired}`, 'utf16le'),
  'UTF-16 with the high byte first': Buffer.from(`\ufeff${expired}`, 'utf16le').swap16(),
  'UTF-16 without a mark': Buffer.from(expired, 'utf16le'),
  'UTF-32': utf32(expired),
  'bytes that are not UTF-8': Buffer.concat([
    Buffer.from(drawing('').slice(0, -6)),
    Buffer.from([0xc0, 0xbc]),
    Buffer.from('script></svg>'),
  ]),
  'two byte order marks': `\ufeff\ufeff${drawing(circle)}`,
  'XML 1.1': drawing(circle, '', '<?xml version="1.1"?>'),
  'two encodings in the declaration': drawing(
    circle,
    '',
    '<?xml version="1.0" encoding="UTF-8" encoding="ISO-2022-JP"?>',
  ),
  'an encoding in another field': drawing(circle, '', '<?xml version="1.0" x="encoding=ISO-2022-JP"?>'),
  'a declaration after a space': drawing(circle, '', ' <?xml version="1.0" encoding="ISO-2022-JP"?>'),
  'a second declaration': drawing(circle, '', '<?xml version="1.0"?><?xml version="1.0" encoding="ISO-2022-JP"?>'),
  'a mark in the declaration': drawing(circle, '', '<?xml\ufeff version="1.0" encoding="UTF-8"?>'),
  'a NUL': drawing('<desc>\0</desc>'),
  'a control character': drawing('<desc>\u0001</desc>'),
};

const uses = (id: number) => `<g id="u${id}">${`<use href="#u${id - 1}"/>`.repeat(10)}</g>`;
const exhausting: Drawings = {
  '1,000 elements inside each other': drawing(`${'<g>'.repeat(1000)}${'</g>'.repeat(1000)}`),
  '100,000 elements': drawing('<g/>'.repeat(100_000)),
  'uses of uses': drawing(`<g id="u0"><path d="M0 0h9"/></g>${[1, 2, 3, 4, 5, 6, 7].map(uses).join('')}`),
  'uses of uses, the last one first': drawing(
    `${[7, 6, 5, 4, 3, 2, 1].map(uses).join('')}<g id="u0"><path d="M0 0h9"/></g>`,
  ),
  'a use of itself': drawing('<g id="a"><use href="#a"/></g>'),
  'patterns of patterns': drawing(
    [...Array(9).keys()]
      .map(
        (n) =>
          `<pattern id="p${n + 1}" width="1" height="1">${`<rect width="1" height="1" fill="url(#p${n})"/>`.repeat(10)}</pattern>`,
      )
      .join(''),
  ),
};

const unknown: Drawings = {
  'an unknown element': drawing('<whatever/>'),
  'an element in capitals': drawing('<SCRIPT>alert(1)</SCRIPT>'),
  'an element named like a property of objects': drawing('<constructor/>'),
  'an element of an unknown namespace': drawing('<x:y/>', 'xmlns:x="https://evil.example/ns"'),
  'an element without a namespace': drawing('<g xmlns=""/>'),
  'an element whose prefix is a property of objects': drawing('<constructor:g/>'),
  'an element with two colons': drawing('<s:g:script/>', `xmlns:s="${svgNs}"`),
  'an attribute with two colons': drawing('<use xlink:href:x="#a"/>'),
  'an attribute named __proto__': drawing('<g __proto__="x"/>'),
  'an attribute named hasOwnProperty': drawing('<g id="a" hasOwnProperty="x"/>'),
  'a name that begins with a colon': drawing('<title :lang="en"/>'),
  'a space before a name': drawing('< g/>'),
  'a space before the name of an end tag': drawing('<g></ g>'),
  'the end of a section without its start': drawing('<text>]]></text>'),
  'an unknown attribute': drawing('<g whatever="1"/>'),
  'an attribute twice': drawing(`<use href="#a" href="${evil}/a.svg#a"/>`),
  'an unescaped < in an attribute': drawing(`<text class="<script>">x</text>`),
  'data of Inkscape': drawing(
    '<sodipodi:namedview/>',
    'xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"',
  ),
  'data of draw.io': drawing(circle, 'content="&lt;mxfile/>"'),
};

/** Each takes minutes where the time grows with the square of the length. */
const long: Drawings = {
  'a long name of an element': drawing(`<${'a'.repeat(2e6)}/>`),
  'many attributes': drawing(`<g ${Array.from({ length: 2e5 }, (_, index) => `a${index}=""`).join(' ')}/>`),
  'many namespaces and elements': drawing(
    '<g/>'.repeat(3e5),
    Array.from({ length: 2e4 }, (_, index) => `xmlns:a${index}="a"`).join(' '),
  ),
  'namespaces inside each other': drawing(`${'<g xmlns:a="b">'.repeat(1e5)}${'</g>'.repeat(1e5)}`),
  'many comments that are not closed': drawing('<!--'.repeat(4e5)),
  'comments in an instruction': drawing(`<?a ${'<!--'.repeat(4e5)}?>`),
  'styles with comments that are not closed': sheet(`@${'/*'.repeat(9e5)}`),
  'a long word in a style': rect(`style="fill: ${'a'.repeat(1.9e6)}(1)"`),
};

/** They run only where a page contains them, because HTML is parsed differently from XML. */
const inHtml: Drawings = {
  'a comment that HTML ends early': drawing('<!--><img src="x" onerror="alert(1)">-->'),
  'a comment that HTML ends early, with a hyphen': drawing('<!---><img src="x" onerror="alert(1)">-->'),
  'a section in a description': drawing('<desc><g><![CDATA[><img src="x" onerror="alert(1)">]]></g></desc>'),
  'a section in a text': drawing('<text><![CDATA[x]]></text>'),
  'the end of a style in a comment of its own': drawing(
    '<title><style><![CDATA[/*</style><img src="x" onerror="alert(1)">*/]]></style></title>',
  ),
  'a script of Dublin Core': drawing(
    '<metadata><script xmlns="http://purl.org/dc/elements/1.1/">alert(1)</script></metadata>',
  ),
};

/** Each is rejected. */
export const hostileSvgs: readonly SvgCase[] = [
  ...[scripts, handlers, doctypes, links, htmlInside, addresses, styles],
  ...[encodings, exhausting, unknown, long, inHtml],
].flatMap((drawings) => Object.entries(drawings));

const dublinCore = `xmlns:cc="http://creativecommons.org/ns#" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"`;

/** Every element that is allowed, with every attribute and property; text in quotation marks is no address. */
const everything = (() => {
  const isName = (name: string) => !name.startsWith('-');
  const values = [...attributes].filter(
    (name) => !['path', 'd', 'x', 'y', 'width', 'height', 'viewBox'].includes(name),
  );
  const quoted = [...properties].filter((name) => !['width', 'height', 'transform'].includes(name));
  const known = `class="https://evil.example/a" role="img" aria-label="${evil}/b" data-a="javascript:alert(1)"`;
  const asAttributes = [
    ...values.map((name) => `${name}="1"`),
    ...quoted.filter(isName).map((name) => `${name}="&quot;${evil}/c&quot;"`),
  ];
  const asStyle = quoted.map((name) => `${name}: '${evil}/d'; ${name}: url(#a)`).join('; ');
  const inside = [...elements].filter((name) => !['svg', 'style', 'image'].includes(name));
  return drawing(
    `<style>${[...elements].join(', ')} { ${asStyle} }</style>${inside
      .map((name) => `<${name} ${known} ${asAttributes.join(' ')} style="${asStyle}">alert(1)</${name}>`)
      .join('')}`,
  );
})();

/** Each is accepted, shown by a browser, and runs, loads and links nothing. */
const harmless: Drawings = {
  'a path': drawing('<path d="M1 1l9-9z"/>'),
  'a declaration of UTF-8': drawing(
    circle,
    '',
    '<?xml version="1.0" encoding="utf-8" standalone="no"?>\n<!-- A drawing. -->\n',
  ),
  'a byte order mark': `\ufeff${drawing(circle)}`,
  'a prefix': `<s:svg xmlns:s="${svgNs}" width="30" height="20"><s:circle r="5"/></s:svg>`,
  'a title and its language': drawing(
    '<title xml:lang="en">Ohm&#8217;s law &amp; more</title><text xml:space="preserve">onload = script, href, url(x), @import</text>',
    'role="img"',
  ),
  references: drawing(
    `<defs><linearGradient id="g"><stop offset="0"/></linearGradient><path id="a" d="M0 0h9"/></defs><use href="#a"/><use xlink:href="#a"/><rect width="9" height="9" fill="url(#g)" style="fill:url( '#g' )"/>`,
  ),
  'a sheet': sheet(
    '/* https://evil.example */ rect, .a > #b:not(.c) { fill: url("#g"); font-family: "A; } B", serif !important }',
  ),
  'a sheet in CDATA': sheet('<![CDATA[ text { fill: rgb(0, 0, 0) } ]]>'),
  'a picture': drawing(
    `<image href="${pixel}" width="9" height="9"/><image xlink:href="${pixel}" width="9" height="9"/>`,
  ),
  matplotlib: drawing(
    `<metadata><rdf:RDF ${dublinCore}><cc:Work><dc:type rdf:resource="http://purl.org/dc/dcmitype/StillImage"/><dc:creator><cc:Agent><dc:title>Matplotlib v3.7.1, https://matplotlib.org/</dc:title></cc:Agent></dc:creator></cc:Work></rdf:RDF></metadata><defs><style type="text/css">*{stroke-linejoin: round; stroke-linecap: butt}</style></defs><g id="axes_1"><clipPath id="p1"><rect x="1" y="1" width="9" height="9"/></clipPath><path d="M 1 1 L 9 9" clip-path="url(#p1)" style="fill: none; stroke: #1f77b4; stroke-width: 1.5; stroke-linecap: square"/></g>`,
    'version="1.1" viewBox="0 0 30 20"',
  ),
  'Inkscape, as plain SVG': drawing(
    `<defs id="defs2"/><g id="layer1"><text xml:space="preserve" style="font-style:normal;font-size:10px;line-height:1.25;font-family:sans-serif;-inkscape-font-specification:'sans-serif, Normal';letter-spacing:0px;fill:#000000;fill-opacity:1;stroke:none" x="1" y="9" id="text1"><tspan id="tspan1" x="1" y="9" style="stroke-width:0.264583px">R</tspan></text></g>`,
    'viewBox="0 0 30 20" version="1.1" id="svg1" xmlns:svg="http://www.w3.org/2000/svg"',
  ),
  'a PDF converted by cairo': drawing(
    '<defs><g><symbol overflow="visible" id="glyph0-0"><path style="stroke:none;" d="M 1.1 0 L 1.1 -5.6 Z"/></symbol></g></defs><g style="fill:rgb(0%,0%,0%);fill-opacity:1;"><use xlink:href="#glyph0-0" x="1" y="9"/></g>',
    'viewBox="0 0 30 20" version="1.1"',
  ),
  'draw.io without HTML': drawing(
    '<defs/><g><rect x="0" y="0" width="9" height="9" fill="#ffffff" stroke="#000000" pointer-events="all" style="fill: light-dark(#ffffff, var(--a, #121212));"/></g>'.replace(
      'var(--a, #121212)',
      '#121212',
    ),
    'style="background: transparent; color-scheme: light dark;"',
  ),
  'everything that is on the lists': everything,
};

export const harmlessSvgs: readonly SvgCase[] = Object.entries(harmless);
