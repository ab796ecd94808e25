import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { freshFolder } from './support/daybook.ts'
import { hasPhp, php } from './support/php.ts'

const plugin = join(import.meta.dirname, '../integrations/wordpress/daybook/daybook.php')

// The WordPress functions that the plugin calls, reduced to the behaviour on which the plugin relies.
const wordPress = `<?php
define('ABSPATH', '/');
function add_action($hook, $function) {}
function add_shortcode($name, $function) {}
function get_option($name, $default) { return getenv('DAYBOOK_URL') ?: $default; }
function wp_parse_url($url) { return parse_url($url) ?: array(); }
function esc_url_raw($url, $protocols) { return preg_match('#^https?://#i', $url) ? $url : ''; }
function esc_url($url) { return htmlspecialchars($url, ENT_QUOTES); }
function esc_attr($text) { return htmlspecialchars($text, ENT_QUOTES); }
function esc_html__($text, $domain) { return htmlspecialchars($text, ENT_QUOTES); }
function current_user_can($capability) { return false; }
function get_locale() { return 'de_AT'; }
function shortcode_atts($pairs, $given, $name) { return array_merge($pairs, array_intersect_key($given, $pairs)); }
`

describe('the WordPress plugin', { skip: (await hasPhp()) ? false : 'PHP is not installed' }, () => {
  test('is valid PHP', async () => assert.match(await php('-l', plugin), /No syntax errors/))

  async function rendered(url: string, attributes: Readonly<Record<string, string>>): Promise<string> {
    const file = join(freshFolder(), 'render.php')
    const given = Buffer.from(JSON.stringify(attributes)).toString('base64')
    const call = `echo daybook_render(json_decode(base64_decode('${given}'), true));`
    writeFileSync(file, `${wordPress}putenv('DAYBOOK_URL=${url}');\nrequire '${plugin}';\n${call}\n`)
    return php(file)
  }

  test('shows the embedding script of the service, in the language of the site', async () => {
    assert.equal(
      await rendered('https://book.example:8443/book/?x', { service: 'check-up', mode: 'button', label: 'Book now' }),
      '<script src="https://book.example:8443/embed.js" data-service="check-up" data-mode="button" data-label="Book now" data-lang="de" async></script>',
    )
  })

  test('escapes what authors enter, and ignores attributes that it does not know', async () => {
    const html = await rendered('https://book.example', { service: '"><script>alert(1)</script>', onload: 'alert(1)' })
    assert.doesNotMatch(html, /<script>|onload/)
    assert.equal(html.match(/<script/g)?.length, 1)
  })

  test('shows nothing to visitors while the service has no address, or one that is not http', async () => {
    assert.equal(await rendered('', {}), '')
    assert.equal(await rendered('javascript:alert(1)', {}), '')
  })
})
