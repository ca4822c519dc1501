import { JsTag } from "pulumi-shop";

new JsTag("banner", {
  type: "JsTag::TextTag",
  name: "banner",
  content: "document.body.dataset.sale = 'on';",
});
