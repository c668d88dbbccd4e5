mtopjsonp1({
 "api": "mtop.aliexpress.pdp.pc.query",
 "data": {
  "result": {
   "PRODUCT_TITLE": {
    "text": "USB desk fan"
   },
   "PRICE": {
    "targetSkuPriceInfo": {
     "salePriceString": "$7.41",
     "originalPrice": {
      "currency": "USD",
      "formatedAmount": "$12.99",
      "value": 12.99
     }
    },
    "skuPriceInfoMap": {
     "12000001": {
      "salePriceString": "$7.41",
      "originalPrice": {
       "value": 12.99
      }
     },
     "12000002": {
      "salePriceString": "$9.05"
     }
    }
   },
   "SKU": {
    "skuProperties": [
     {
      "skuPropertyName": "Color",
      "skuPropertyValues": [
       {
        "propertyValueId": 193,
        "propertyValueDisplayName": "Black"
       },
       {
        "propertyValueId": 29,
        "propertyValueDisplayName": "White"
       }
      ]
     }
    ],
    "skuPaths": [
     {
      "path": "14:193",
      "skuIdStr": "12000001",
      "skuStock": 40
     },
     {
      "path": "14:29",
      "skuIdStr": "12000002",
      "skuStock": 0
     }
    ]
   },
   "PC_RATING": {
    "rating": "4.7",
    "totalValidNum": 812,
    "otherText": "5,000+ sold"
   },
   "QUANTITY_PC": {
    "totalAvailableInventory": 40
   },
   "HEADER_IMAGE_PC": {
    "imagePathList": [
     "https://ae01.alicdn.com/kf/a.jpg",
     "https://ae01.alicdn.com/kf/b.jpg"
    ]
   },
   "PRODUCT_PROP_PC": {
    "showedProps": [
     {
      "attrName": "Power Source",
      "attrValue": "USB"
     }
    ]
   },
   "SHOP_CARD_PC": {
    "storeName": "Breeze Store",
    "sellerPositiveRate": "97.4",
    "sellerTotalNum": 1502
   },
   "SHIPPING": {
    "originalLayoutResultList": [
     {
      "bizData": {
       "displayAmount": 1.99,
       "displayEtaMinDate": "Mar. 07",
       "displayEtaMaxDate": "Mar. 19"
      }
     }
    ]
   },
   "DESC": {
    "pcDescUrl": "//aeproductsourcesite.alicdn.com/d.html"
   }
  }
 },
 "ret": [
  "SUCCESS::call succeeded"
 ],
 "v": "1.0"
})
