/** Questions and their answers. */
export { type Faq, readFaqs } from "./faq.ts"
