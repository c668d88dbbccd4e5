/** MathML as TeX, by the elements that browsers draw. */
export function texOfMathml(element: Element): string {
  return childrenOf(element).map(written).join("")
}

const childrenOf = (element: Element) => [...element.children]

type Write = (parts: string[], element: Element) => string

const group = (tex: string | undefined) => `{${tex ?? ""}}`
/** The base of a subscript or superscript; longer bases are grouped. */
const base = (tex = "") => (/^(?:.|\\[a-zA-Z]+)$/su.test(tex) ? tex : group(tex))

const accents: Record<string, string> = {
  "^": "hat",
  ˆ: "hat",
  "¯": "bar",
  "‾": "overline",
  "→": "vec",
  "⃗": "vec",
  "~": "tilde",
  "˜": "tilde",
  "˙": "dot",
  "¨": "ddot",
  "\u0302": "hat",
  "\u0303": "tilde",
  "\u0304": "bar",
  "\u0305": "overline",
  "\u0307": "dot",
  "\u0308": "ddot",
  "⏞": "overbrace",
  "⏟": "underbrace",
  _: "underline",
}

function over([inner, mark]: string[], element: Element): string {
  const accent = accents[element.children[1]?.textContent?.trim() ?? ""]
  if (accent) return `\\${accent}${group(inner)}`
  return isLarge(inner) ? `${inner}^${group(mark)}` : `\\overset${group(mark)}${group(inner)}`
}

function under([inner, mark]: string[], element: Element): string {
  const accent = accents[element.children[1]?.textContent?.trim() ?? ""]
  if (accent) return `\\${accent}${group(inner)}`
  return isLarge(inner) ? `${inner}_${group(mark)}` : `\\underset${group(mark)}${group(inner)}`
}

/** Sums, limits and the like carry their bounds. */
const isLarge = (tex = "") =>
  /^(?:\\(?:sum|prod|coprod|int|iint|iiint|oint|bigcup|bigcap|lim|max|min|sup|inf) ?)$/.test(tex)

const rows = (parts: string[]) => parts.join(" \\\\ ")

function fenced(parts: string[], element: Element): string {
  const open = element.getAttribute("open") ?? "("
  const close = element.getAttribute("close") ?? ")"
  return `\\left${fence(open)}${parts.join(", ")}\\right${fence(close)}`
}

const fence = (sign: string) => (sign === "" ? "." : /^[{}]$/.test(sign) ? `\\${sign}` : sign)

const writers: Record<string, Write> = {
  mfrac: ([top, bottom], element) =>
    /^0/.test(element.getAttribute("linethickness") ?? "")
      ? `\\binom${group(top)}${group(bottom)}`
      : `\\frac${group(top)}${group(bottom)}`,
  msup: ([inner, up]) => `${base(inner)}^${group(up)}`,
  msub: ([inner, down]) => `${base(inner)}_${group(down)}`,
  msubsup: ([inner, down, up]) =>
    `${isLarge(inner) ? inner : base(inner)}_${group(down)}^${group(up)}`,
  munderover: ([inner, down, up]) =>
    `${isLarge(inner) ? inner : base(inner)}_${group(down)}^${group(up)}`,
  mover: over,
  munder: under,
  msqrt: (parts) => `\\sqrt${group(parts.join(""))}`,
  mroot: ([inner, index]) => `\\sqrt[${index ?? ""}]${group(inner)}`,
  mfenced: fenced,
  mtable: (parts) => `\\begin{matrix}${rows(parts)}\\end{matrix}`,
  mtr: (parts) => parts.join(" & "),
  mlabeledtr: (parts) => parts.slice(1).join(" & "),
  mspace: () => "\\ ",
  annotation: () => "",
  "annotation-xml": () => "",
  mphantom: () => "",
}

const words: Record<string, string> = {
  "×": "times",
  "·": "cdot",
  "⋅": "cdot",
  "÷": "div",
  "±": "pm",
  "∓": "mp",
  "≤": "leq",
  "≥": "geq",
  "≠": "neq",
  "≈": "approx",
  "≡": "equiv",
  "∼": "sim",
  "∝": "propto",
  "∞": "infty",
  "∑": "sum",
  "∏": "prod",
  "∫": "int",
  "∬": "iint",
  "∮": "oint",
  "∂": "partial",
  "∇": "nabla",
  "√": "surd",
  "∈": "in",
  "∉": "notin",
  "⊂": "subset",
  "⊆": "subseteq",
  "∪": "cup",
  "∩": "cap",
  "∅": "emptyset",
  "∀": "forall",
  "∃": "exists",
  "¬": "neg",
  "∧": "land",
  "∨": "lor",
  "→": "to",
  "←": "leftarrow",
  "⇒": "Rightarrow",
  "⇔": "Leftrightarrow",
  "↦": "mapsto",
  "…": "dots",
  "⋯": "cdots",
  "⟨": "langle",
  "⟩": "rangle",
  "−": "-",
  "′": "'",
  "⁡": "",
  "⁢": "",
  "⁣": "",
  lim: "lim",
  max: "max",
  min: "min",
  sup: "sup",
  inf: "inf",
  sin: "sin",
  cos: "cos",
  tan: "tan",
  log: "log",
  ln: "ln",
  exp: "exp",
  det: "det",
}
const greek =
  "αalpha βbeta γgamma δdelta εvarepsilon ϵepsilon ζzeta ηeta θtheta ιiota κkappa λlambda μmu νnu ξxi πpi ρrho σsigma ςvarsigma τtau υupsilon φvarphi ϕphi χchi ψpsi ωomega ΓGamma ΔDelta ΘTheta ΛLambda ΞXi ΠPi ΣSigma ΦPhi ΨPsi ΩOmega"
for (const letter of greek.split(" ")) words[letter[0]!] = letter.slice(1)

/** A letter, number or sign. A command ends before a letter. */
function token(text: string): string {
  const word = Object.hasOwn(words, text) ? words[text]! : null
  if (word !== null) return /^[a-zA-Z]/.test(word) ? `\\${word} ` : word
  return text.replace(/[#$%&_{}]/g, "\\$&")
}

function written(element: Element): string {
  const name = element.localName
  if (name === "mtext") {
    const text = element.textContent!.replace(/\s+/g, " ")
    return text.trim() === "" ? "\\ " : `\\text${group(text.replace(/[#$%&_{}\\]/g, ""))}`
  }
  if (name === "mi" || name === "mn" || name === "mo") {
    const text = element.textContent!.trim()
    const tex = token(text)
    return name === "mi" && /^[a-zA-Z]{2,}$/.test(tex) ? `\\mathrm${group(tex)}` : tex
  }
  const parts = childrenOf(element).map((child) => written(child))
  const write = Object.hasOwn(writers, name) ? writers[name]! : null
  return write
    ? write(
        parts.map((part) => part.trim()),
        element,
      )
    : parts.join("")
}
