<?php
/**
 * Plugin Name: Daybook booking page
 * Description: Shows the booking page of a Daybook service: the shortcode [daybook] and a block.
 * Version: 1.0.0
 * Requires at least: 6.4
 * Requires PHP: 7.4
 * License: MIT
 */

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

/** Registers the option with the address of the service. */
function daybook_register_settings() {
	register_setting(
		'general',
		'daybook_url',
		array(
			'type'              => 'string',
			'sanitize_callback' => 'daybook_sanitize_url',
			'default'           => '',
		)
	);
	add_settings_field( 'daybook_url', 'Daybook', 'daybook_url_field', 'general', 'default', array( 'label_for' => 'daybook_url' ) );
}
add_action( 'admin_init', 'daybook_register_settings' );

/** Renders the field for the address of the service. */
function daybook_url_field() {
	printf(
		'<input type="url" class="regular-text" id="daybook_url" name="daybook_url" value="%s" placeholder="https://book.example"><p class="description">%s</p>',
		esc_attr( get_option( 'daybook_url', '' ) ),
		esc_html__( 'The address of your Daybook service. Allow this site under Settings, Booking page, there.', 'daybook' )
	);
}

/**
 * Returns the origin of an http or https address; empty for anything else.
 *
 * @param string $url The address as entered.
 */
function daybook_sanitize_url( $url ) {
	$parts = wp_parse_url( esc_url_raw( trim( (string) $url ), array( 'http', 'https' ) ) );
	if ( empty( $parts['scheme'] ) || empty( $parts['host'] ) ) {
		return '';
	}
	return $parts['scheme'] . '://' . $parts['host'] . ( isset( $parts['port'] ) ? ':' . $parts['port'] : '' );
}

/**
 * Renders the booking page for the shortcode and the block.
 *
 * @param array|string $attributes service, with, mode, label and lang, as the embedding script understands them.
 */
function daybook_render( $attributes ) {
	$url = daybook_sanitize_url( get_option( 'daybook_url', '' ) );
	if ( '' === $url ) {
		return current_user_can( 'manage_options' )
			? '<p>' . esc_html__( 'Enter the address of your Daybook service under Settings, General.', 'daybook' ) . '</p>'
			: '';
	}
	$attributes = shortcode_atts(
		array(
			'service' => '',
			'with'    => '',
			'mode'    => 'inline',
			'label'   => '',
			'lang'    => substr( get_locale(), 0, 2 ),
		),
		is_array( $attributes ) ? $attributes : array(),
		'daybook'
	);
	$data = '';
	foreach ( $attributes as $name => $value ) {
		if ( '' !== (string) $value ) {
			$data .= sprintf( ' data-%s="%s"', $name, esc_attr( $value ) );
		}
	}
	// The script inserts the page after its own element, so the element is printed at the place of the shortcode.
	return sprintf( '<script src="%s"%s async></script>', esc_url( $url . '/embed.js' ), $data ); // phpcs:ignore WordPress.WP.EnqueuedResources.NonEnqueuedScript
}
add_shortcode( 'daybook', 'daybook_render' );

/** Registers the block, which the server renders. */
function daybook_register_block() {
	wp_register_script( 'daybook-block', plugins_url( 'block.js', __FILE__ ), array( 'wp-blocks', 'wp-element', 'wp-block-editor', 'wp-components' ), '1.0.0', true );
	register_block_type(
		'daybook/booking',
		array(
			'api_version'     => 3,
			'title'           => 'Daybook',
			'category'        => 'widgets',
			'icon'            => 'calendar-alt',
			'editor_script'   => 'daybook-block',
			'render_callback' => 'daybook_render',
			'attributes'      => array(
				'service' => array( 'type' => 'string', 'default' => '' ),
				'with'    => array( 'type' => 'string', 'default' => '' ),
				'mode'    => array( 'type' => 'string', 'default' => 'inline' ),
				'label'   => array( 'type' => 'string', 'default' => '' ),
			),
		)
	);
}
add_action( 'init', 'daybook_register_block' );
