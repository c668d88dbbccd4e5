import type { BunPlugin } from "bun"

/**
 * Puts long loops outside of functions into functions. A script's modules are compiled as one
 * function, and a long loop in it makes JavaScriptCore compile all of it to machine code while it
 * loads: half a second of processor time and seven megabytes for each thread, for code that runs
 * once.
 */
const longLoops = /\/(?:fflate\/esm\/index\.mjs|tldts\/dist\/es6\/src\/suffix-trie\.js)$/
const loopAtLoad = /^for \(.*(?: \{\n(?:(?: .*)?\n)*\}|\n .*;)$/gm

export const loopsApart: BunPlugin = {
  name: "loops-apart",
  setup(build) {
    build.onLoad({ filter: longLoops }, async ({ path }) => ({
      contents: (await Bun.file(path).text()).replace(loopAtLoad, ";(() => {\n$&\n})();"),
      loader: "js",
    }))
  },
}
