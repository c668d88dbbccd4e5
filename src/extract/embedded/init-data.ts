import { balancedText, parseLiteral, parseLoose } from "./json-in-text.ts"

/**
 * Yields the data blocks of a page of Google Play: the arguments of
 * `AF_initDataCallback({key: 'ds:5', …, data: […], …})`. Malformed blocks are skipped.
 */
export function* initData(html: string): Generator<[key: string, data: unknown]> {
  const calls = /AF_initDataCallback\(\s*\{\s*key:\s*['"](ds:\d+)['"][^[{]*?data:\s*(?=[[{])/g
  for (const call of html.matchAll(calls)) {
    const source = balancedText(html, call.index + call[0].length)
    const data = source === null ? undefined : (parseLoose(source) ?? parseLiteral(source))
    if (data !== undefined) yield [call[1]!, data]
  }
}
