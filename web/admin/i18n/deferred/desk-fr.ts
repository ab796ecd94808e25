import type { PanelTexts } from '../messages.ts'

/** Panel texts in French: the calendar's options and menus, its printed lists, and the keyboard shortcuts. */
export const desk: Pick<PanelTexts, 'calendarView' | 'shortcuts'> = {
  calendarView: {
    options: 'Options d’affichage',
    zoomIn: 'Agrandir',
    zoomOut: 'Réduire',
    closedHours: 'Afficher les heures fermées',
    colours: 'Couleurs',
    colourBy: { service: 'Par prestation', provider: 'Par praticien' },
    dragging: 'Glisser sur du temps libre',
    dragTo: { book: 'Réserver', time_off: 'Ajouter une absence' },
    print: 'Imprimer',
    seats: '{{count}} sur {{capacity}}',
    addSeat: 'Ajouter un participant',
    bookAt: 'Nouvelle réservation à {{time}}',
    timeOffAt: 'Absence à partir de {{time}}',
    more: '{{count}} de plus',
    noReservations: 'Aucune réservation.',
    time: 'Heure',
    monthOf:
      'Dates et heures dans le fuseau horaire de l’établissement ({{zone}}). Choisissez un jour pour ouvrir son calendrier.',
  },
  shortcuts: {
    title: 'Raccourcis clavier',
    groups: { everywhere: 'Partout', calendar: 'Calendrier', cards: 'Réservation dans le calendrier' },
    keys: {
      search: 'Recherche et commandes',
      book: 'Nouvelle réservation',
      sheet: 'Afficher cette liste',
      close: 'Fermer la boîte de dialogue ou le menu',
      beside: 'Jour, semaine ou mois précédent ou suivant',
      today: 'Aujourd’hui',
      views: 'Jour, semaine, mois',
      zoom: 'Agrandir, réduire, taille normale',
      closedHours: 'Afficher ou masquer les heures fermées',
      colours: 'Couleurs par prestation ou par praticien',
      print: 'Imprimer la liste du jour ou la semaine',
      open: 'Ouvrir',
      move: 'Déplacer',
      stretch: 'Changer la fin',
      drop: 'Confirmer la nouvelle heure',
    },
  },
}
