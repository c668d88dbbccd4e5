/** Turndown's build for browsers: the other one brings a parser of its own, which is never asked. */
declare module "turndown/lib/turndown.browser.es.js" {
  import Turndown = require("turndown")
  export default Turndown
}
