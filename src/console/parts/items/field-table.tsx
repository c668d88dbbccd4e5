import { fieldsOf, mayBeMissing, type Schema, typeOf } from "../../data/catalogue.ts"

/** The fields of an item: name, type and description. */
export function FieldTable({ schema }: { schema: Schema }) {
  const fields = fieldsOf(schema)
  return (
    <section aria-labelledby="fields-of-item">
      <h2 id="fields-of-item">Fields of an item ({fields.length})</h2>
      <dl class="fields">
        {fields.map(([name, field]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd class="muted">
              {typeOf(field)}
              {(mayBeMissing(field) || !schema.required?.includes(name)) && ", or none"}
            </dd>
            <dd>{field.description}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
