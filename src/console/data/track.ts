/** Browsers draw no element that is higher; less where pixels are small. */
const maxHeight = 8_000_000

/**
 * Where in a list of any length one is, by how far its element is scrolled, which is lower than the list
 * where that is long: small steps move as far as elsewhere, great ones in proportion.
 */
export class Track {
  /** Pixels of the list above what is in sight. */
  top = 0
  private last = 0

  constructor(
    private readonly length: number,
    private readonly sight: number,
  ) {}

  /** Height of the element that is scrolled. */
  get height(): number {
    return Math.min(this.length, maxHeight)
  }

  scrolled(to: number): void {
    const step = to - this.last
    this.last = to
    const isSmall = Math.abs(step) < this.sight && to > 0 && to < this.height - this.sight - 1
    this.top = this.within(isSmall ? this.top + step : to * this.ratio)
  }

  /** How far the element is to be scrolled for a place in the list. */
  go(top: number): number {
    this.top = this.within(top)
    this.last = this.top / this.ratio
    return this.last
  }

  /** Of a list that has grown, or is looked at through another window. */
  changed(length: number, sight: number): Track {
    const track = new Track(length, sight)
    track.go(this.top)
    return track
  }

  private get ratio(): number {
    const reach = this.height - this.sight
    return reach > 0 ? (this.length - this.sight) / reach : 1
  }

  private within(top: number): number {
    return Math.max(0, Math.min(this.length - this.sight, top))
  }
}
