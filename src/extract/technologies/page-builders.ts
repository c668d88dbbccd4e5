import { type TechnologyRule, technology } from "./rule.ts"

/** What lays out single pages, also within a content management system. */
export const pageBuilders: TechnologyRule[] = [
  technology("Elementor", ["Page builder", "WordPress plugin"], "elementor.com", {
    generator: /^Elementor ([\d.]+)/,
    url: /\/plugins\/elementor(?:-pro)?\/|\/uploads\/elementor\//,
    implies: ["WordPress"],
  }),
  technology("WPBakery", ["Page builder", "WordPress plugin"], "wpbakery.com", {
    generator: /WPBakery Page Builder|Visual Composer/,
    url: /\/plugins\/js_composer\//,
    implies: ["WordPress"],
  }),
  technology("Divi", ["Page builder", "WordPress theme"], "elegantthemes.com", {
    generator: /^Divi v\.?([\d.]+)/,
    url: [/\/themes\/Divi\//, /\/themes\/Divi\/.*[?&]ver=([\d.]+)/],
    implies: ["WordPress"],
  }),
  technology("Beaver Builder", ["Page builder", "WordPress plugin"], "wpbeaverbuilder.com", {
    url: /\/plugins\/(?:bb-plugin|beaver-builder-lite-version)\/|\/uploads\/bb-plugin\//,
    implies: ["WordPress"],
  }),
  technology("Oxygen", ["Page builder", "WordPress plugin"], "oxygenbuilder.com", {
    url: /\/plugins\/oxygen\/|\/uploads\/oxygen\/css\//,
    implies: ["WordPress"],
  }),
  technology("Bricks", ["Page builder", "WordPress theme"], "bricksbuilder.io", {
    url: /\/themes\/bricks\/assets\//,
    implies: ["WordPress"],
  }),
  technology("Fusion Builder", ["Page builder", "WordPress plugin"], "avada.com", {
    url: /\/plugins\/fusion-builder\/|\/uploads\/fusion-(?:styles|scripts)\//,
    implies: ["WordPress"],
  }),
  technology("Brizy", ["Page builder", "WordPress plugin"], "brizy.io", {
    url: /\/plugins\/brizy(?:-pro)?\//,
  }),
  technology("Unbounce", ["Page builder", "Marketing"], "unbounce.com", {
    headers: { "x-unbounce-pageid": /./ },
    url: /\.ubembed\.com|d9hhrg4mnvzow\.cloudfront\.net/,
  }),
  technology("Instapage", ["Page builder", "Marketing"], "instapage.com", {
    url: /(?:heatmap-events-collector|g|v)\.instapagemetrics\.com|cdn\.instapagemetrics\.com/,
  }),
  technology("Leadpages", ["Page builder", "Marketing"], "leadpages.com", {
    url: /static\.leadpages\.net|lead-pages\.s3|\.lpages\.co/,
  }),
  technology("ClickFunnels", ["Page builder", "Marketing"], "clickfunnels.com", {
    url: /app\.clickfunnels\.com|assets\.clickfunnels\.com|cf2\.clickfunnels/,
  }),
]
