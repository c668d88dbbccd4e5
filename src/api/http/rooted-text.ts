/** Placeholder for the public URL while the text is generated; it occurs nowhere else. */
const placeholder = "https://root-of-this-service.invalid"

/**
 * A long text that contains the service's public URL, generated once. The URL may come from the
 * request's Host, so it is inserted into the stored bytes.
 */
export class RootedText {
  private parts?: Uint8Array[]
  private made: number | string = 0

  /** `make` must return the same text at each call of a version, except for the URL. */
  constructor(
    private readonly make: (root: string) => string,
    private readonly version: () => number | string = () => 0,
  ) {}

  at(root: string): Uint8Array<ArrayBuffer> {
    if (this.version() !== this.made) this.parts = undefined
    this.made = this.version()
    this.parts ??= this.make(placeholder)
      .split(placeholder)
      .map((part) => new TextEncoder().encode(part))
    const between = new TextEncoder().encode(root)
    const parts = this.parts.flatMap((part, index) => (index === 0 ? [part] : [between, part]))
    return Buffer.concat(parts)
  }
}
