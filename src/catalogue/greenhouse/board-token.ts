import { BadInput } from "../kit/index.ts"

/**
 * Returns the board token in a token or URL.
 * @throws BadInput
 */
export function boardToken(target: string): string {
  const text = target.trim()
  const url =
    /greenhouse\.io\/embed\/job_(?:board|app)(?:\/js)?\?(?:.*&)?for=([\w-]+)/i.exec(text) ??
    /(?:boards|job-boards)(?:\.eu)?\.greenhouse\.io\/(?!embed\/)([\w-]+)/i.exec(text) ??
    /(?:boards-)?api\.greenhouse\.io\/v1\/boards\/([\w-]+)/i.exec(text)
  const token = url?.[1] ?? text
  if (!/^[\w-]+$/.test(token)) {
    throw new BadInput(
      `"${target}" is not a Greenhouse board. Use its token, such as vercel, or its URL.`,
    )
  }
  return token.toLowerCase()
}
