import type { Availability } from "../price/index.ts"

/** Selectors of a shop's facts; of each list, the first that matches a value counts. */
export interface ShopRule {
  host: RegExp
  name: string[]
  price: string[]
  listPrice?: string[]
  brand?: string[]
  availability?: string[]
  /** With `@name`, the value of an attribute. */
  sku?: string[]
  images?: string[]
  /** The availability if the page shows no price. */
  withoutPrice?: Availability
}

/** Shops without usable structured data whose pages hold many prices of other things. */
export const shopRules: ShopRule[] = [
  {
    host: /(?:^|\.)amazon\.[a-z.]{2,6}$/,
    name: ["#productTitle", "#title", "#ebooksProductTitle"],
    price: [
      "#corePrice_feature_div .a-price .a-offscreen",
      "#corePriceDisplay_desktop_feature_div .priceToPay .a-offscreen",
      "#corePriceDisplay_desktop_feature_div .priceToPay",
      "#corePrice_desktop .apexPriceToPay .a-offscreen",
      "#apex_desktop .a-price .a-offscreen",
      "#priceblock_dealprice",
      "#priceblock_saleprice",
      "#priceblock_ourprice",
      "#price_inside_buybox",
      "#newBuyBoxPrice",
      "#buybox .offer-price",
      "#buyNewSection .a-color-price",
      "#kindle-price",
      "#tmmSwatches .swatchElement.selected .a-color-price",
      "#usedBuySection .a-color-price",
      "#renewedBuyBoxPrice",
      "#olp_feature_div .a-color-price",
    ],
    listPrice: [
      "#corePriceDisplay_desktop_feature_div .basisPrice .a-offscreen",
      "#price .priceBlockStrikePriceString",
      "#listPrice",
    ],
    brand: ["#bylineInfo", "#brand"],
    availability: ["#outOfStock .a-color-price", "#availability", "#availability_feature_div"],
    sku: ["input#ASIN@value", "input[name=ASIN]@value", "#averageCustomerReviews@data-asin"],
    images: ["#landingImage@data-old-hires", "#landingImage@src", "#imgBlkFront@src"],
  },
  {
    host: /(?:^|\.)ebay\.[a-z.]{2,6}$/,
    name: [".x-item-title__mainTitle", "#itemTitle"],
    price: [".x-price-primary", "#prcIsum", "#mm-saleDscPrc", "#prcIsum_bidPrice"],
    listPrice: [".x-additional-info__textual-display del", "#orgPrc"],
    brand: [".ux-labels-values--brand .ux-labels-values__values"],
    availability: [".x-quantity__availability", "#qtySubTxt"],
    sku: ["#descItemNumber", ".ux-layout-section__textual-display--itemId .ux-textspans--BOLD"],
    images: [".ux-image-carousel-item.active img@src", "#icImg@src"],
  },
]
