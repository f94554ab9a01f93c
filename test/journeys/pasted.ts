/** What is copied from other programs, and the key that puts it where the focus is. */

import type { Page } from "playwright-core";

export async function paste(page: Page, data: Record<string, string>): Promise<void> {
  await page.evaluate((given) => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(given)) {
      clipboardData.setData(type, text);
    }
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, data);
}

/** A PNG of one pixel. */
export const DOT =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";

/** As the clipboards of these programs have it, in short; written for this test. */
export const PASTED = [
  [
    "Google Docs",
    '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" ' +
      'style="line-height:1.38;"><span style="font-size:11pt;font-weight:700;">Bold</span><span ' +
      'style="font-weight:400;"> and </span><a href="https://site.example/a" style="text-decoration:none;">' +
      '<span style="color:#1155cc;text-decoration:underline;">a link</span></a></p><ul style="margin:0">' +
      '<li dir="ltr" style="list-style-type:disc" aria-level="1"><p dir="ltr" role="presentation">' +
      '<span style="font-style:italic">one</span></p></li></ul></b>',
    '<p><strong>Bold</strong> and <a href="https://site.example/a"><u>a link</u></a></p>\n' +
      "<ul><li><em>one</em></li></ul>",
  ],
  [
    "Word",
    '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm} -->' +
      "</style></head><body lang=EN-US><!--StartFragment--><p class=MsoNormal>Dear <b>all</b>,<o:p></o:p></p>" +
      "<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'>" +
      "<![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span " +
      "style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp; </span></span></span><![endif]>first<o:p></o:p></p>" +
      "<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if " +
      "!supportLists]><span style='mso-list:Ignore'>·<span>&nbsp; </span></span><![endif]>second</p>" +
      "<!--EndFragment--></body></html>",
    "<p>Dear <strong>all</strong>,</p>\n<ul><li>first</li><li>second</li></ul>",
  ],
  [
    "Gmail",
    '<div dir="ltr" class="gmail_default" style="font-family:arial">Hi {{first_name}},</div><div dir="ltr">' +
      '<br></div><div dir="ltr">see <span style="background:yellow">here</span></div>',
    "<p>Hi {{first_name}},</p>\n<p><br></p>\n<p>see here</p>",
  ],
  [
    "somebody hostile",
    '<p onclick="pwned=1">a<script>pwned=1</script><img src=x onerror="pwned=1"><svg onload="pwned=1">' +
      '</svg><a href="javascript:pwned=1">b</a><iframe srcdoc="<script>parent.pwned=1</script>"></iframe>' +
      '<a href="https://site.example/" onmouseover="pwned=1" style="position:fixed">c</a></p>',
    '<p>ab<a href="https://site.example/">c</a></p>',
  ],
] as const;
