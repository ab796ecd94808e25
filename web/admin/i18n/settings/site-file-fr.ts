import type { PanelTexts } from '../messages.ts'

/** Panel texts in French: the site's settings and the site file (settings and data as JSON). */
export const siteFile: Pick<PanelTexts, 'site' | 'siteFile'> = {
  site: {
    title: 'Établissement',
    text: 'Informations générales sur votre établissement.',
    name: 'Nom',
    timezone: 'Fuseau horaire',
    timezoneHelp: 'Le fuseau horaire de l’établissement. Chaque praticien peut en avoir un autre.',
    siteUrl: 'Adresse web',
    siteUrlHelp: 'Où les clients vous trouvent, par exemple https://clinic.example. Les liens commencent ainsi.',
    language: 'Langue',
    languageHelp:
      'Pour les clients sans langue indiquée. Pour une langue avec région, saisissez son code, par exemple pt-BR.',
    currency: 'Devise',
    currencyHelp: 'La devise des prix qui n’en indiquent pas d’autre.',
    saveHours: 'Enregistrer les horaires',
    defaultWeekly: 'Horaires des nouveaux praticiens',
    defaultWeeklyText:
      'Les nouveaux praticiens commencent avec ces horaires. Les praticiens existants gardent les leurs.',
    appearance: {
      title: 'Apparence',
      text: 'La page de réservation et les e-mails aux clients montrent le logo et la couleur.',
      color: 'Couleur',
      colorHelp: 'Par exemple #1f5fbf. Une couleur peu visible sur du blanc est refusée.',
      logo: 'Logo',
      logoHelp: 'PNG, JPEG ou SVG, 64 Ko au plus. Les logiciels de messagerie n’affichent pas le SVG.',
      choose: 'Choisir un fichier',
      removeLogo: 'Retirer le logo',
      logoRemoved: 'Le logo a été retiré.',
      saveColor: 'Enregistrer la couleur',
    },
  },
  siteFile: {
    title: 'Fichier de l’établissement',
    text: 'Réglages, prestations, praticiens et page de réservation dans un fichier, à vérifier ou pour préparer une autre installation. Ce n’est pas une sauvegarde.',
    export: 'Exporter',
    exportText: 'Réglages de l’établissement, prestations et praticiens. Les secrets ne sont pas inclus.',
    withCustomers: 'Inclure les clients',
    withReservations: 'Inclure les réservations et leurs clients',
    import: 'Importer',
    importText:
      'Vous voyez d’abord ce qui changerait. L’application ne supprime rien et se fait en entier ou pas du tout.',
    file: 'Fichier',
    choose: 'Choisir un fichier',
    faults: 'Erreurs dans le fichier',
    apply: 'Appliquer',
    applied: 'Fichier de l’établissement appliqué.',
    nothing: 'Ce fichier ne changerait rien.',
    site: 'Réglages de l’établissement',
    parts: { services: 'Prestations', providers: 'Praticiens', customers: 'Clients', reservations: 'Réservations' },
    added: 'Ajouts : {{count}}',
    changed: 'Modifications : {{count}}',
  },
}
