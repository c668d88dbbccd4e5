import type { BunPlugin } from "bun"

/**
 * Modules with long loops outside functions, which are put into some. All modules of a script are one
 * function, and a long loop in it has the whole of it made machine code as it is loaded: half a second
 * of a processor and seven megabytes, for each thread, of code that is run once.
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
