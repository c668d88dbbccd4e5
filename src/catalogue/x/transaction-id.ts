import { sha256 } from "../../extract/core/index.ts"

/**
 * Values from X's page and its signing script that sign a request: a key and an animation state.
 * The key determines the moment of the animation on the page's loading image.
 */
export type Signing = { key: number[]; animation: string }

/** Positions in the key that the signing script reads. */
const places = /\(\w\[(\d{1,2})\],\s*16\)/g
const epoch = 1_682_924_400
const durationMs = 4096
const maxPath = 20_000

/** Returns null if the page or the script does not have the supported form. */
export function readSigning(page: Document, script: string): Signing | null {
  const meta = page.querySelector("meta[name=twitter-site-verification]")?.getAttribute("content")
  const key = [...Buffer.from(meta ?? "", "base64")]
  const [row, ...moments] = [...script.matchAll(places)].map(([, place]) => key[Number(place)])
  if (key.length < 6 || row === undefined || moments.length === 0) return null
  const images = [...page.querySelectorAll("svg[id^=loading-x-anim]")]
  const path = images[key[5]! % images.length]?.querySelectorAll("path")[1]?.getAttribute("d")
  const frames = framesOf(path ?? "")[row % 16]
  if (!frames || moments.includes(undefined)) return null
  const moment = moments.reduce<number>((product, byte) => product * (byte! % 16), 1)
  return { key, animation: animationAt(frames, (Math.round(moment / 10) * 10) / durationMs) }
}

/** Returns the numbers of each curve of the image's path. */
function framesOf(path: string): (number[] | null)[] {
  const curves = path.slice(9, maxPath).split("C")
  return curves.map((curve) => {
    const numbers = (curve.match(/\d+/g) ?? []).map(Number)
    return numbers.length < 11 ? null : numbers
  })
}

/**
 * Returns the style of the animated element in the script's notation: colour and rotation in
 * hexadecimal.
 */
function animationAt(frame: readonly number[], time: number): string {
  const at = easing(
    frame.slice(7, 11).map((byte, index) => Number(scaled(byte, index % 2 ? -1 : 0, 1).toFixed(2))),
    time,
  )
  const colour = [0, 1, 2].map((index) => {
    return Math.round(Math.min(255, Math.max(0, frame[index]! * (1 - at) + frame[index + 3]! * at)))
  })
  const angle = (Math.floor(scaled(frame[6]!, 60, 360)) * at * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return [...colour, cos, sin, sin, cos, 0, 0]
    .map((value) => Number(value.toFixed(2)).toString(16))
    .join("")
    .replace(/[.-]/g, "")
}

const scaled = (byte: number, from: number, to: number) => (byte * (to - from)) / 255 + from

/** Returns the value of a `cubic-bezier()` at a time from 0 to 1. */
function easing([x1, y1, x2, y2]: number[], time: number): number {
  const curve = (a: number, b: number, t: number) =>
    3 * a * (1 - t) ** 2 * t + 3 * b * (1 - t) * t ** 2 + t ** 3
  let [low, high] = [0, 1]
  // Halves the interval until no double lies between its ends.
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (curve(x1!, x2!, middle) < time) low = middle
    else high = middle
  }
  return curve(y1!, y2!, high)
}

export interface Signed {
  method: string
  path: string
  /** Milliseconds since 1970. */
  at: number
  /** Random byte (0-255). */
  random: number
  /** A constant word and number in the script. */
  keyword: string
  mark: number
}

/** Returns the value of `x-client-transaction-id`. */
export function transactionId({ key, animation }: Signing, signed: Signed): string {
  const seconds = Math.floor(signed.at / 1000) - epoch
  const text = `${signed.method}!${signed.path}!${seconds}${signed.keyword}${animation}`
  const hash = Buffer.from(sha256(text), "hex").subarray(0, 16)
  const time = [0, 8, 16, 24].map((shift) => (seconds >> shift) & 255)
  const bytes = [...key, ...time, ...hash, signed.mark].map((byte) => byte ^ signed.random)
  return Buffer.from([signed.random, ...bytes])
    .toString("base64")
    .replaceAll("=", "")
}
