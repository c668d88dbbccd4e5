import type { Listing } from "../../data/page/page-call.ts"

interface MorePagesProps {
  listing: Listing
  /** Names of the fields so far. */
  names: string[]
  /** URL of a detail page, for picking its fields. */
  sample: string
  onChange(listing: Listing): void
  onSample(url: string): void
  onPick(): void
}

/** Fields for the following pages of a list and for the pages that its rows link to. */
export function MorePages(props: MorePagesProps) {
  const { listing, names, sample, onChange, onSample, onPick } = props
  const { nextPage, detailLink, detailFields } = listing
  return (
    <details open={Boolean(nextPage || detailLink)}>
      <summary>More pages</summary>
      <div class="field">
        <label for="next-page">
          Next page <span class="muted">selector of its link or button, or a URL pattern</span>
        </label>
        <input
          id="next-page"
          class="code"
          spellcheck={false}
          autocapitalize="none"
          placeholder="a.next or ?page={page}"
          value={nextPage}
          onInput={(event) => onChange({ ...listing, nextPage: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for="detail-link">Follow the link of each row</label>
        <select
          id="detail-link"
          value={detailLink}
          onChange={(event) => onChange({ ...listing, detailLink: event.currentTarget.value })}
        >
          <option value="">No</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {detailLink && (
        <>
          <div class="field">
            <label for="detail-fields">Fields of the detail page, one per line</label>
            <textarea
              id="detail-fields"
              class="code"
              rows={3}
              spellcheck={false}
              placeholder="sku: .sku"
              value={detailFields}
              onInput={(event) => onChange({ ...listing, detailFields: event.currentTarget.value })}
            />
          </div>
          <div class="fields-in-row">
            <div class="field grow">
              <label for="detail-sample">URL of one detail page</label>
              <input
                id="detail-sample"
                type="text"
                inputMode="url"
                spellcheck={false}
                autocapitalize="none"
                value={sample}
                onInput={(event) => onSample(event.currentTarget.value)}
              />
            </div>
            <button type="button" disabled={!sample.trim()} onClick={onPick}>
              Pick from the detail page
            </button>
          </div>
        </>
      )}
    </details>
  )
}
