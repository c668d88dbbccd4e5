/** Keys remembered, so that a link found on every page is not offered to the store each time. */
const kept = 20_000

/** The keys seen of late. To have forgotten one costs time only: the store knows them all. */
export class KnownKeys {
  private young = new Set<string>()
  private old = new Set<string>()

  /** False when the key was seen before. */
  add(key: string): boolean {
    if (this.young.has(key)) return false
    const seen = this.old.has(key)
    this.young.add(key)
    if (this.young.size >= kept / 2) {
      this.old = this.young
      this.young = new Set()
    }
    return !seen
  }
}
