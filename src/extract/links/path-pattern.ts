/**
 * Regular expressions of untrusted authors, matched in time linear in the text: all paths through a
 * pattern are followed at once, without backtracking. Supported are literals, `.`, classes,
 * `\d \w \s` and their opposites, groups, `|`, `* + ?`, `{m,n}`, and `^ $`; look-around and
 * back-references are not.
 */
export class PatternError extends Error {}

/** Pieces of a pattern once its repetitions are written out. */
const maxNodes = 2000
const maxRepeats = 100
/** Nested repetitions multiply, also those of nothing. */
const maxSteps = 20_000
const longest = 500

type Test = (code: number) => boolean

/** A state of the machine: the character that it consumes, or its transitions without input. */
type Node =
  | { kind: "take"; test: Test; next: number }
  | { kind: "split"; next: number; other: number }
  | { kind: "begin" | "end"; next: number }
  | { kind: "match" }

/** Returns a test whether a text matches, anywhere unless the pattern is anchored. @throws PatternError */
export function pattern(source: string): (text: string) => boolean {
  const nodes = new Parser(source).parse()
  return (text) => run(nodes, text)
}

function run(nodes: readonly Node[], text: string): boolean {
  const start = nodes.length - 1
  let current: number[] = []
  for (let at = 0; at <= text.length; at++) {
    const seen = new Uint8Array(nodes.length)
    const next: number[] = []
    const enter = (first: number, position: number, into: number[]): boolean => {
      const open = [first]
      for (let index = open.pop(); index !== undefined; index = open.pop()) {
        if (seen[index]) continue
        seen[index] = 1
        const node = nodes[index]!
        if (node.kind === "match") return true
        if (node.kind === "take") into.push(index)
        else if (node.kind === "split") open.push(node.other, node.next)
        else if (node.kind === "begin" ? position === 0 : position === text.length)
          open.push(node.next)
      }
      return false
    }
    for (const index of current) if (enter(index, at, next)) return true
    if (enter(start, at, next)) return true
    if (at === text.length) return false
    const code = text.charCodeAt(at)
    current = next.flatMap((index) => {
      const node = nodes[index]!
      return node.kind === "take" && node.test(code) ? [node.next] : []
    })
  }
  return false
}

const digit: Test = (code) => code >= 48 && code <= 57
const word: Test = (code) =>
  digit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95
const space: Test = (code) => /\s/.test(String.fromCharCode(code))
const not =
  (test: Test): Test =>
  (code) =>
    !test(code)
const classes: Record<string, Test> = {
  d: digit,
  w: word,
  s: space,
  D: not(digit),
  W: not(word),
  S: not(space),
}

/** Builds a piece in front of the state that follows it; returns the piece's first state. */
type Piece = (next: number) => number

class Parser {
  private at = 0
  private steps = 0
  private readonly nodes: Node[] = [{ kind: "match" }]

  constructor(private readonly source: string) {}

  parse(): Node[] {
    if (this.source.length > longest) throw this.wrong(`more than ${longest} characters`)
    const whole = this.either()
    if (this.at < this.source.length) throw this.wrong("a ) without its (")
    const start = whole(0)
    // The machine begins at its last node.
    this.add({ kind: "split", next: start, other: start })
    return this.nodes
  }

  private either(): Piece {
    const methods = [this.sequence()]
    while (this.eat("|")) methods.push(this.sequence())
    return methods.reduce((left, right) => (next) => this.split(left(next), right(next)))
  }

  private sequence(): Piece {
    const pieces: Piece[] = []
    while (this.at < this.source.length && !"|)".includes(this.source[this.at]!)) {
      pieces.push(this.repeated(this.one()))
    }
    return (next) => pieces.reduceRight((behind, piece) => piece(behind), next)
  }

  private one(): Piece {
    const character = this.source[this.at++]!
    if (character === "(") {
      if (this.eat("?") && !this.eat(":")) throw this.wrong("a group of a kind that there is not")
      const inner = this.either()
      if (!this.eat(")")) throw this.wrong("a ( without its )")
      return inner
    }
    if (character === "^") return (next) => this.add({ kind: "begin", next })
    if (character === "$") return (next) => this.add({ kind: "end", next })
    if ("*+?".includes(character)) throw this.wrong(`a ${character} behind nothing`)
    const test =
      character === "."
        ? () => true
        : character === "["
          ? this.set()
          : character === "\\"
            ? this.escaped()
            : is(character)
    return (next) => this.add({ kind: "take", test, next })
  }

  private repeated(piece: Piece): Piece {
    let whole = piece
    for (;;) {
      const counts = this.counts()
      // Whether it takes much or little first makes no difference here.
      if (!counts) return whole
      this.eat("?")
      whole = this.times(whole, ...counts)
    }
  }

  private counts(): [least: number, most: number] | undefined {
    if (this.eat("*")) return [0, Number.POSITIVE_INFINITY]
    if (this.eat("+")) return [1, Number.POSITIVE_INFINITY]
    if (this.eat("?")) return [0, 1]
    const [written, min, comma, max] =
      /^\{(\d{1,4})(,)?(\d{1,4})?\}/.exec(this.source.slice(this.at, this.at + 12)) ?? []
    if (written === undefined) return undefined
    this.at += written.length
    const high = max ? Number(max) : comma ? Number.POSITIVE_INFINITY : Number(min)
    if (Number(min) > maxRepeats || (Number.isFinite(high) && high > maxRepeats)) {
      throw this.wrong(`more than ${maxRepeats} repetitions`)
    }
    return [Number(min), high]
  }

  private times(piece: Piece, min: number, max: number): Piece {
    return (next) => {
      let behind = next
      this.steps += Math.max(min, Number.isFinite(max) ? max : 1)
      if (this.steps > maxSteps) throw this.wrong("too many repetitions")
      if (max === Number.POSITIVE_INFINITY) {
        const loop = this.split(next, next)
        const inner = piece(loop)
        this.nodes[loop] = { kind: "split", next: inner, other: next }
        behind = loop
      } else for (let at = min; at < max; at++) behind = this.split(piece(behind), next)
      for (let at = 0; at < min; at++) behind = piece(behind)
      return behind
    }
  }

  private set(): Test {
    const isOther = this.eat("^")
    const tests: Test[] = []
    for (let first = true; first || this.source[this.at] !== "]"; first = false) {
      const low = this.source[this.at++]
      if (low === undefined) throw this.wrong("a [ without its ]")
      const next = this.source[this.at + 1]
      if (low === "\\") tests.push(this.escaped())
      else if (this.source[this.at] === "-" && next !== undefined && next !== "]") {
        this.at += 2
        const [from, to] = [low.charCodeAt(0), next.charCodeAt(0)]
        tests.push((code) => code >= from && code <= to)
      } else tests.push(is(low))
    }
    this.at++
    const any: Test = (code) => tests.some((test) => test(code))
    return isOther ? not(any) : any
  }

  private escaped(): Test {
    const character = this.source[this.at++]
    if (character === undefined) throw this.wrong("a \\ at its end")
    if (Object.hasOwn(classes, character)) return classes[character]!
    if (/[a-z0-9]/i.test(character)) throw this.wrong(`\\${character}, which there is not`)
    return is(character)
  }

  private eat(character: string): boolean {
    if (this.source[this.at] !== character) return false
    this.at++
    return true
  }

  private split(next: number, other: number): number {
    return this.add({ kind: "split", next, other })
  }

  private add(node: Node): number {
    if (this.nodes.length >= maxNodes) throw this.wrong("too many pieces")
    return this.nodes.push(node) - 1
  }

  private wrong(what: string): PatternError {
    return new PatternError(`The pattern "${this.source.slice(0, 100)}" has ${what}.`)
  }
}

const is = (character: string): Test => {
  const code = character.charCodeAt(0)
  return (other) => other === code
}
