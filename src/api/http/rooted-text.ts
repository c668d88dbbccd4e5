/** Stands for the root while the text is made; nothing else in it looks like this. */
const placeholder = "https://root-of-this-service.invalid"

/**
 * A long text that contains the service's root, made once. The root may come from the request's Host:
 * it is inserted into the stored bytes, so that a new root costs no rendering.
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
