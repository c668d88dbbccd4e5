/** Returns text whose UTF-8 was read as Latin-1 ("MecÃ¡nico") repaired; other texts as they are. */
export function repairMojibake(text: string): string {
  if (!/[\u00c2-\u00f4][\u0080-\u00bf]/.test(text) || /[\u0100-\uffff]/.test(text)) return text
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0))
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return text
  }
}
