// Elements. All that comes from annotation goes through `textContent`; there is no other way in.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else if (name === "style") for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const put = (element, ...children) => element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);
const svg = (tag, properties, ...children) => fill(document.createElementNS(SVG, tag), properties, children);

// Text of the annotation: what cannot be seen, or would reorder the page around it, is made visible; what is too long, cut.
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Cs}/gu;
const LONGEST = 300;

function visible(text, longest = LONGEST) {
  const characters = text.length;
  if (characters > longest) text = Array.from(text.slice(0, longest + 1)).slice(0, longest).join("") + "…";
  text = text.replace(UNSEEN, (c) => {
    const code = c.codePointAt(0);
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `⟨${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
  return characters > longest && longest === LONGEST ? `${text} (${count(characters, "character")})` : text;
}

const quoted = (text, longest = 80) => h("bdi", { class: "quoted" }, visible(text, longest));

const NUMBERS = new Intl.NumberFormat("en");
const count = (n, one, many = `${one}s`) => `${NUMBERS.format(n)} ${n === 1 ? one : many}`;

// A file by its name; the folders it is in are told when asked.
const fileName = (path) => h("bdi", { title: visible(path) }, visible(path.split(/[\\/]/).findLast(Boolean) ?? path, 80));
