import { balancedText, parseLiteral, parseLoose } from "./json-in-text.ts"

/**
 * What a page of Google's app stores hands to its scripts, block by block: the arguments of
 * `AF_initDataCallback({key: 'ds:5', …, data: […], …})`. What does not parse is left out.
 */
export function* initData(html: string): Generator<[key: string, data: unknown]> {
  const calls = /AF_initDataCallback\(\s*\{\s*key:\s*['"](ds:\d+)['"][^[{]*?data:\s*(?=[[{])/g
  for (const call of html.matchAll(calls)) {
    const source = balancedText(html, call.index + call[0].length)
    const data = source === null ? undefined : (parseLoose(source) ?? parseLiteral(source))
    if (data !== undefined) yield [call[1]!, data]
  }
}
