/** schema.org in JSON-LD, microdata and RDFa, as one graph. */
export { readJsonLd } from "./json-ld.ts"
export { addValue, shortType } from "./schema-node.ts"
export { allSchemaNodes, SchemaReader, schemaNode, schemaNodes } from "./schema-reader.ts"
export {
  allEntities,
  type Entity,
  isNode,
  isOfType,
  nodesAt,
  nodesOfType,
  readStructuredData,
  type SchemaNode,
  type StructuredData,
  textAt,
  textOfAny,
  typesOf,
  valuesOf,
  valueText,
  valueUrl,
} from "./structured-data.ts"
