/** Characters that usually are a token each: CJK, kana, Hangul, emoji. */
const wide = /[\u2e80-\ud7ff\uf900-\ufaff\u{1f000}-\u{3ffff}]/gu
/** Letters of other scripts, with two or three per token. */
const foreign = /[\u0080-\u2e7f]/g

/**
 * Estimates the tokens of a text: four characters each, fewer for scripts that tokenizers compress
 * less. Models count differently.
 */
export function tokensOf(text: string): number {
  const wideCount = text.match(wide)?.length ?? 0
  const foreignCount = text.match(foreign)?.length ?? 0
  return Math.ceil(wideCount + foreignCount / 2 + (text.length - wideCount - foreignCount) / 4)
}

/** Returns the start of a text, at most `tokens` tokens; it ends with a whole character. */
export function beginning(text: string, tokens: number): string {
  let length = Math.min(text.length, tokens * 4)
  for (let over = tokensOf(text.slice(0, length)); over > tokens && length > 0; ) {
    length = Math.floor((length * tokens) / over)
    over = tokensOf(text.slice(0, length))
  }
  const last = text.charCodeAt(length - 1)
  const isHalf = length < text.length && last >= 0xd800 && last <= 0xdbff
  return text.slice(0, Math.max(1, isHalf ? length - 1 : length))
}
