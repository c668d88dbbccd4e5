/** Stands for the root while the text is made; nothing else in it looks like this. */
const placeholder = "https://root-of-this-service.invalid"

/**
 * A long text with the service's root in it, made once. The root may be what a caller's Host says:
 * it is put into the bytes that are kept, and a new one is no new work.
 */
export class RootedText {
  private parts?: Uint8Array[]
  private made: number | string = 0

  /** `make` must give the same text at each call of one version, but for the root. */
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
