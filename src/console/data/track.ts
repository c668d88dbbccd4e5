/** Maximum height of an element in browsers; less on screens with small pixels. */
const maxHeight = 8_000_000

/**
 * Maps the scroll position to the position in a list of any length. The element is lower than a
 * long list: small steps scroll as usual, large ones in proportion.
 */
export class Track {
  /** Pixels of the list above the visible part. */
  top = 0
  private last = 0

  constructor(
    private readonly length: number,
    private readonly sight: number,
  ) {}

  /** Height of the scrolled element. */
  get height(): number {
    return Math.min(this.length, maxHeight)
  }

  scrolled(to: number): void {
    const step = to - this.last
    this.last = to
    const isSmall = Math.abs(step) < this.sight && to > 0 && to < this.height - this.sight - 1
    this.top = this.within(isSmall ? this.top + step : to * this.ratio)
  }

  /** Returns the scroll position for a position in the list. */
  go(top: number): number {
    this.top = this.within(top)
    this.last = this.top / this.ratio
    return this.last
  }

  /** Returns the track of a list after its length or the visible height has changed. */
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
