/** A set of a run's targets by their numbers, stored as a text with a bit for each. */
export class TargetSet {
  private constructor(private readonly bits: Uint8Array) {}

  static of(numbers: readonly number[]): TargetSet {
    const last = numbers.reduce((max, number) => Math.max(max, number), -1)
    const bits = new Uint8Array(Math.ceil((last + 1) / 8))
    for (const number of numbers) bits[number >> 3]! |= 1 << (number & 7)
    return new TargetSet(bits)
  }

  static parse(text: string): TargetSet {
    return new TargetSet(Uint8Array.fromBase64(text))
  }

  has(number: number): boolean {
    return ((this.bits[number >> 3] ?? 0) & (1 << (number & 7))) !== 0
  }

  toString(): string {
    return this.bits.toBase64()
  }
}
