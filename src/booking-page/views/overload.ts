import { html } from '../../html.ts'
import { builtInLanguages } from '../words/words.ts'

/**
 * The page that visitors see while the service sheds load, in all languages, since it is sent without looking at the
 * request. It loads itself again after two seconds; a form is sent again by loading the page again.
 */
export const overloadPage: string = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="2">
<title>503</title></head><body>${[...builtInLanguages].map(([locale, { words }]) => html`<p lang="${locale}">${words.busy}</p>`)}</body></html>
`.text
