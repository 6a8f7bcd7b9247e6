// The colour of an entity of the key, the same wherever it is shown: large entities get hues that are far apart, entities of
// one mention are pale, and what is in no entity of the key is grey.

const HUES = [250, 45, 150, 330, 85, 200, 295, 20, 125, 270, 65, 175, 350, 225, 105, 310];

function tone(rank, size, alpha = 1) {
  const hue = rank < HUES.length ? HUES[rank] : (HUES[rank % HUES.length] + 11 * Math.floor(rank / HUES.length)) % 360;
  const chroma = size > 1 ? 0.145 : 0.06;
  return `light-dark(oklch(0.58 ${chroma} ${hue} / ${alpha}), oklch(0.76 ${chroma * 0.85} ${hue} / ${alpha}))`;
}

const GREY = (alpha = 1) => `light-dark(oklch(0.55 0.01 80 / ${alpha}), oklch(0.68 0.01 80 / ${alpha}))`;

const keyColour = (doc, entity, alpha) => (entity < 0 ? GREY(alpha) : tone(doc.rank[entity], doc.key.size[entity], alpha));
const responseColour = (doc, run, entity, alpha) => keyColour(doc, run.owner[entity], alpha);
const colourOf = (doc, run, side, entity, alpha) =>
  side === "K" ? keyColour(doc, entity, alpha) : responseColour(doc, run, entity, alpha);
