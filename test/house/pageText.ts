/**
 * How code of a page could write text without showing its invisible characters. `client/src/webview/page/dom.ts` is the
 * only file that may. Each pattern has examples of what it finds.
 */
interface TextWriter {
  readonly finds: RegExp;
  readonly examples: readonly string[];
}

const content = 'textContent|innerText|outerText|innerHTML|outerHTML|nodeValue';
const names = 'alt|label|placeholder|srcdoc|title';
const spoken = 'label|description|roledescription|valuetext|placeholder|braille\\w+';
const textProperties = `${content}|${names}|aria(?:Label|Description|RoleDescription|ValueText|Placeholder|Braille\\w+)`;
const textAttributes = `${names}|aria-(?:${spoken})`;

export const textWriters: readonly TextWriter[] = [
  {
    finds: new RegExp(
      `(?:\\.(?:${textProperties})|\\[\\s*['"](?:${textProperties})['"]\\s*\\])\\s*(?:\\?\\?|\\|\\||&&|\\+)?=(?![=>])`,
    ),
    examples: [
      'cell.textContent = value',
      'cell.textContent += value',
      'cell.title ??= value',
      "cell['title'] = value",
      'field.placeholder = value',
      'image.alt = value',
      'option.label = value',
      'cell.ariaLabel = value',
      'meter.ariaValueText = value',
    ],
  },
  // The object may have any of the properties above.
  {
    finds: /\bObject\s*\.\s*assign\(/,
    examples: ['Object.assign(element, { title })', 'Object.assign(element, properties)'],
  },
  {
    finds:
      /\b(?:textContent|innerText|innerHTML|ariaLabel|ariaDescription|dangerouslySetInnerHTML)[:=]/,
    examples: ['{ textContent: value }', '<p dangerouslySetInnerHTML={value} />'],
  },
  // A name that isn't a literal may be any of the attributes.
  {
    finds: new RegExp(
      `\\bsetAttribute(?:Node)?(?:NS\\([^,]*,|\\()\\s*(?:(['"\`])(?:${textAttributes})\\1|(?!['"\`]))`,
    ),
    examples: [
      "cell.setAttribute('title', value)",
      'cell.setAttribute("aria-label", value)',
      "cell.setAttribute(\n  'placeholder',\n  value,\n)",
      "meter.setAttribute('aria-valuetext', value)",
      "cell.setAttributeNS(null, 'alt', value)",
      'cell.setAttribute(name, value)',
    ],
  },
  {
    finds: /\b(?:fillText|strokeText)\(/,
    examples: ['context.fillText(value, x, y)', 'context.strokeText(value, x, y)'],
  },
  {
    finds:
      /\b(?:createTextNode|insertAdjacent(?:HTML|Text)|setHTML(?:Unsafe)?|createContextualFragment|document\s*\.\s*write(?:ln)?|new\s+(?:Text|Option))\(/,
    examples: [
      'document.createTextNode(value)',
      "cell.insertAdjacentText('beforeend', value)",
      'cell.setHTMLUnsafe(value)',
      'range.createContextualFragment(value)',
      'document.write(value)',
      'new Option(value)',
    ],
  },
  {
    finds: /\b(?:append|prepend|replaceChildren|replaceWith|before|after)\(\s*(?:['"`]|String\()/,
    examples: [
      "cell.append('value')",
      'cell.replaceChildren(`value`)',
      'cell.after(String(value))',
    ],
  },
];
