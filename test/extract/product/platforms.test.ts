import { expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { readProduct } from "../../../src/extract/product/product.ts"

/** A page of each kind of shop software: its URL, its HTML, and the expected product. */
const read = (url: string, body: string) =>
  readProduct(
    parseDocument(
      `<!doctype html><html lang="en"><head><title>Kettle - Shop</title></head><body>${body}</body></html>`,
    ),
    url,
  )
const escaped = (value: unknown) => JSON.stringify(value).replaceAll('"', "&quot;")
const ld = (value: unknown) =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`

const shopify = {
  title: "Kettle",
  vendor: "Works",
  variants: [
    { id: 11, sku: "K-R", price: 6450, available: true, barcode: "4006381333931" },
    { id: 22, sku: "K-B", price: 7000, available: false },
  ],
}
const group = ld({
  "@type": "ProductGroup",
  name: "Kettle",
  productGroupID: "K",
  hasVariant: ["R", "B"].map((colour, index) => ({
    "@type": "Product",
    name: `Kettle ${colour}`,
    sku: `K-${colour}`,
    url: `https://shop.example/kettle?sku=K-${colour}`,
    offers: {
      price: 60 + index * 5,
      priceCurrency: "USD",
      availability: index === 0 ? "InStock" : "OutOfStock",
    },
  })),
})
const visible = '<h1>Kettle</h1><p class="price">$64.50</p>'

const pages: [name: string, url: string, body: string, found: Record<string, unknown>][] = [
  [
    "Shopify: the first variant in stock",
    "https://shop.example/products/kettle",
    `<h1>Kettle</h1><script type="application/json" data-product-json>${JSON.stringify(shopify)}</script>`,
    { sku: "K-R", price: 64.5, availability: "in_stock", gtin: "4006381333931", brand: "Works" },
  ],
  [
    "Shopify: the variant that the address names",
    "https://shop.example/products/kettle?variant=22",
    `<h1>Kettle</h1><script type="application/json" data-product-json>${JSON.stringify(shopify)}</script>`,
    { sku: "K-B", price: 70, availability: "out_of_stock" },
  ],
  [
    "WooCommerce",
    "https://shop.example/product/kettle/",
    `<h1 class="product_title">Kettle</h1><p class="price"><del><span class="amount">$80.00</span></del>
     <ins><span class="amount"><bdi><span>$</span>64.50</bdi></span></ins></p>
     <p class="stock in-stock">3 in stock</p><button class="single_add_to_cart_button">Add to cart</button>
     <span class="sku_wrapper">SKU: <span class="sku">KT-100</span></span> <span>Category: <a>Kettles</a></span>`,
    { sku: "KT-100", price: 64.5, listPrice: 80, availability: "in_stock" },
  ],
  [
    "WooCommerce: N/A is not a number",
    "https://shop.example/product/kettle/",
    `${visible}<span class="sku_wrapper">SKU: <span class="sku">N/A</span></span>`,
    { sku: undefined, price: 64.5 },
  ],
  [
    "Magento 1",
    "https://shop.example/kettle.html",
    `<h1>Kettle</h1><p class="availability in-stock">Availability: <span>In stock</span></p><p class="sku">SKU# KT100</p>
     <p class="old-price"><span>Regular Price:</span> <span class="price">$80.00</span></p>
     <p class="special-price"><span>Special Price</span> <span class="price">$64.50</span></p>`,
    { sku: "KT100", price: 64.5, listPrice: 80, availability: "in_stock" },
  ],
  [
    "Magento 2",
    "https://shop.example/kettle.html",
    `<div class="product-info-main"><h1>Kettle</h1><div class="stock unavailable"><span>Out of stock</span></div>
     <div class="product attribute sku"><strong class="type">SKU</strong><div class="value">24-WG085</div></div>
     <span data-price-amount="64.5" data-price-type="finalPrice"><span class="price">$64.50</span></span></div>`,
    { sku: "24-WG085", price: 64.5, availability: "out_of_stock" },
  ],
  [
    "PrestaShop 1.6",
    "https://shop.example/12-kettle.html",
    `<h1>Kettle</h1><p id="product_reference"><label>Référence : </label><span class="editable">demo_1</span></p>
     <span id="our_price_display" class="price">64,50 €</span><p id="old_price"><span class="price">80,00 €</span></p>
     <p id="availability_statut"><span>Ce produit n'est plus en stock</span></p>`,
    { sku: "demo_1", price: 64.5, availability: "out_of_stock" },
  ],
  [
    "PrestaShop 1.7",
    "https://shop.example/12-kettle.html",
    `<h1>Kettle</h1><span class="regular-price">80,00 €</span><span class="current-price-value" content="64.5">64,50 €</span>
     <span id="product-availability">Rupture de stock</span>
     <div id="product-details" data-product="${escaped({ reference: "demo_1", ean13: "4006381333931" })}"></div>`,
    { sku: "demo_1", price: 64.5, availability: "out_of_stock", gtin: "4006381333931" },
  ],
  [
    "BigCommerce",
    "https://shop.example/kettle/",
    `<h1>Kettle</h1><div class="productView-price"><div class="price-section rrp-price--withoutTax">MSRP: <span class="price price--rrp">$90.00</span></div>
     <div class="price-section"><span class="price price--non-sale">$80.00</span></div><span class="price price--withoutTax">$64.50</span></div>
     <dl><dt>SKU:</dt><dd data-product-sku>KT100</dd><dt>UPC:</dt><dd>036000291452</dd></dl>
     <script>var BCData = {"product_attributes":{"sku":"KT100","mpn":"W-9","instock":true}};</script>`,
    { sku: "KT100", price: 64.5, gtin: "036000291452", mpn: "W-9" },
  ],
  [
    "Salesforce Commerce Cloud",
    "https://shop.example/p/kettle/M1234567.html",
    `<div class="product-detail"><h1>Kettle</h1><div class="product-number">Item No. <span class="product-id">M1234567</span></div>
     <div class="price"><del><span class="strike-through list">$80.00</span></del> <span class="sales"><span class="value" content="64.50">$64.50</span></span></div></div>`,
    { sku: "M1234567", price: 64.5 },
  ],
  [
    "Shopware 5: productID is the database's, sku the shop's",
    "https://shop.example/detail/index/sArticle/2",
    `<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Kettle</h1><meta itemprop="productID" content="2">
     <div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="price" content="64.50">
     <link itemprop="availability" href="http://schema.org/InStock"></div>
     <strong>Artikel-Nr.:</strong><meta itemprop="productID" content="2"><span itemprop="sku">SW10002</span></div>`,
    { sku: "SW10002", price: 64.5, availability: "in_stock" },
  ],
  [
    "Shopware 6",
    "https://shop.example/Kettle/SW10002",
    `<h1>Kettle</h1><p class="product-detail-price">64,50 €*</p><p class="delivery-information">Sofort verfügbar, Lieferzeit: 1-3 Tage</p>
     <span class="product-detail-ordernumber-label">Produktnummer:</span> <span>SW 10002.1</span>`,
    { sku: "SW 10002.1", price: 64.5, availability: "in_stock" },
  ],
  [
    "OpenCart",
    "https://shop.example/index.php?route=product/product&product_id=43",
    `<h1>Kettle</h1><ul><li>Brand: <a href="#">Works</a></li><li>Product Code: KT-16</li><li>Availability: In Stock</li></ul>
     <ul><li><span style="text-decoration: line-through;">$80.00</span></li><li><h2>$64.50</h2></li><li>Ex Tax: $53.75</li></ul>`,
    { sku: "KT-16", brand: "Works", price: 64.5, availability: "in_stock" },
  ],
  [
    "a number in the URL's query, if nothing else has one",
    "https://shop.example/index.php?route=product/product&product_id=4312",
    visible,
    { sku: "4312" },
  ],
  [
    "SAP Hybris",
    "https://shop.example/de/p/000000001023",
    `<h1>Kettle</h1><span class="sku">Artikelnummer</span><span class="code">1023-44</span><p class="price">64,50 €</p>`,
    { sku: "1023-44", price: 64.5 },
  ],
  [
    "Oxid",
    "https://shop.example/kettle.html",
    `<h1>Kettle</h1><span id="productArtnum">Art.-Nr.: 1402</span><label id="productPrice" class="price"><span class="price">64,50</span><span class="currency">€</span></label>
     <span class="stockFlag">Sofort lieferbar</span>`,
    { sku: "1402", price: 64.5, availability: "in_stock" },
  ],
  [
    "JTL",
    "https://shop.example/kettle",
    `<h1>Kettle</h1><ul><li><strong>Artikelnummer:</strong> <span>JT-77</span></li><li><strong>GTIN:</strong> <span>4006381333931</span></li>
     <li><strong>HAN:</strong> <span>W-9/2</span></li></ul><div class="price h1">64,50 €</div><div>1,29 € pro 100 ml</div>`,
    { sku: "JT-77", gtin: "4006381333931", mpn: "W-9/2", price: 64.5 },
  ],
  [
    "VTEX",
    "https://shop.example.br/kettle/p",
    `<h1>Kettle</h1><script>var skuJson_0 = {"name":"Kettle","skus":[{"sku":8812,"available":true,"bestPrice":6450,"listPrice":8000}]};</script>`,
    { sku: "8812", price: 64.5, listPrice: 80, availability: "in_stock" },
  ],
  [
    "Squarespace",
    "https://shop.example/shop/p/kettle",
    `<h1>Kettle</h1><div class="product-variants" data-variants="${escaped([
      {
        sku: "SQ123",
        priceMoney: { currency: "USD", value: "80.00" },
        salePriceMoney: { currency: "USD", value: "64.50" },
        onSale: true,
        qtyInStock: 0,
      },
    ])}"></div>`,
    { sku: "SQ123", price: 64.5, listPrice: 80, currency: "USD", availability: "out_of_stock" },
  ],
  [
    "Wix: Offers and Availability with capitals",
    "https://shop.example/product-page/kettle",
    `<h1>Kettle</h1>${ld({
      "@type": "Product",
      name: "Kettle",
      sku: "0001",
      Offers: {
        priceCurrency: "USD",
        price: "64.5",
        Availability: "https://schema.org/OutOfStock",
      },
    })}`,
    { sku: "0001", price: 64.5, availability: "out_of_stock" },
  ],
  [
    "Tealium",
    "https://shop.example/kettle",
    '<h1>Kettle</h1><script>var utag_data = {"product_id":["KT100"],"product_brand":["Works"],"product_price":["64.50"]};</script>',
    { sku: "KT100", brand: "Works", price: 64.5 },
  ],
  [
    "digitalData",
    "https://shop.example/kettle",
    `${visible}<script>window.digitalData = {"product":[{"productInfo":{"productID":"99","sku":"KT100","manufacturer":"Works"}}]};</script>`,
    { sku: "KT100", brand: "Works" },
  ],
  [
    "GA4 by gtag",
    "https://shop.example/kettle",
    `${visible}<script>gtag('event','view_item',{currency:'USD',items:[{item_id:'KT100',item_brand:'Works',price:64.5}]});</script>`,
    { sku: "KT100", brand: "Works" },
  ],
  [
    "dataLayer as a literal of JavaScript",
    "https://shop.example/kettle",
    "<h1>Kettle</h1><script>dataLayer.push({'ecommerce':{'detail':{'products':[{'id':'KT100','price':'64.50'}]}}});</script>",
    { sku: "KT100", price: 64.5 },
  ],
  [
    "a list of products in dataLayer is not the page's",
    "https://shop.example/kettle",
    `${visible}<script>dataLayer.push({"event":"view_item","ecommerce":{"items":[{"item_id":"A1"},{"item_id":"A2"}]}});</script>`,
    { sku: undefined },
  ],
  [
    "an order form's field, but no id of the database",
    "https://shop.example/kettle",
    `${visible}<form><input type="hidden" name="product_id" value="8812"><input type="hidden" name="sku" value="KT-100"></form>`,
    { sku: "KT-100" },
  ],
  [
    "the state of an application",
    "https://shop.example/kettle",
    '<h1>Kettle</h1><script id="__NEXT_DATA__" type="application/json">{"product":{"name":"Kettle","productCode":"KT-100","price":{"value":64.5}}}</script>',
    { sku: "KT-100", price: 64.5 },
  ],
  [
    "a group: the version that the address names",
    "https://shop.example/kettle?sku=K-B",
    `<h1>Kettle</h1>${group}`,
    { sku: "K-B", price: 65, availability: "out_of_stock" },
  ],
  [
    "a group: no version named",
    "https://shop.example/kettle",
    `<h1>Kettle</h1>${group}`,
    { sku: "K", price: 60, lowPrice: 60, highPrice: 65, availability: "in_stock" },
  ],
  [
    "one of several offers, which the address names",
    "https://shop.example/kettle?size=l",
    `<h1>Kettle</h1>${ld({
      "@type": "Product",
      name: "Kettle",
      offers: [
        { sku: "K-S", price: 60, url: "https://shop.example/kettle?size=s" },
        { sku: "K-L", price: 64.5, url: "https://shop.example/kettle?size=l" },
      ],
    })}`,
    { sku: "K-L", price: 64.5 },
  ],
]

test.each(pages)("%s", (_, url, body, found) => {
  const product = read(url, body) as Record<string, unknown> | null
  for (const [field, value] of Object.entries(found)) {
    expect({ [field]: product?.[field] }).toEqual({ [field]: value })
  }
})
