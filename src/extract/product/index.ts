/** The product of a shop's page, from every source that states it. */
export { type Product, readProduct } from "./product.ts"
