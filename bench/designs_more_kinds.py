"""More kinds of records for designs.py, with the words of four more languages and six more frames for pages.

Their designs are in designs_more.py. Families that are drawn here are on the side `new`.
"""

import datetime

from designs_kinds import FIRST, FRAMES, LAST, MENU, MONTHS, PROSE, WORDS, date, family, maybe, menu, name, pager, prose, side, title

WORDS |= {
    "it": "porto lanterna rame salice pietra fiume argento giardino inverno cedro ambra collina mulino seta marmo autunno costa vetta ponte bosco".split(),
    "pt": "porto farol cobre salgueiro pedra rio prata jardim inverno cedro âmbar norte moinho seda mármore outono costa serra ponte bosque".split(),
    "ru": "гавань фонарь медь ива камень река серебро сад зима кедр янтарь север мельница бархат мрамор осень берег вершина мост лес".split(),
    "ar": "ميناء فانوس نحاس صفصاف حجر نهر فضة حديقة شتاء أرز كهرمان شمال طاحونة حرير رخام خريف ساحل قمة جسر غابة".split(),
}
PROSE |= {
    "it": "uno sguardo tranquillo sul piccolo paese vicino al fiume e su tutto quello che la gente ricorda ancora degli anni passati".split(),
    "pt": "um olhar tranquilo sobre a pequena vila junto ao rio e sobre tudo o que as pessoas ainda lembram dos anos passados".split(),
    "ru": "спокойный взгляд на маленький город у реки и на всё что люди ещё помнят о прежних годах когда работала мельница".split(),
    "ar": "نظرة هادئة على البلدة الصغيرة قرب النهر وعلى كل ما يذكره الناس من السنوات التي مضت حين كانت الطاحونة تعمل".split(),
}
MONTHS |= {
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre".split(),
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(),
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split(),
    "ar": "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر".split(),
}
MENU |= {
    "it": "Home,Servizi,Chi siamo,Notizie,Contatti,Cerca,Accedi,Carrello,Aiuto,Note legali,Privacy,Newsletter,Precedente,Successivo,Accetta,Questo sito utilizza i cookie.,Vedi anche,Iscriviti alla newsletter",
    "pt": "Início,Serviços,Quem somos,Notícias,Contactos,Pesquisar,Entrar,Carrinho,Ajuda,Termos,Privacidade,Boletim,Anterior,Seguinte,Aceitar,Este site utiliza cookies.,Veja também,Subscreva o boletim",
    "ru": "Главная,Каталог,О нас,Новости,Контакты,Поиск,Войти,Корзина,Помощь,Условия,Конфиденциальность,Рассылка,Назад,Вперёд,Принять,Мы используем файлы cookie.,Смотрите также,Подписаться на рассылку",
    "ar": "الرئيسية,الخدمات,من نحن,الأخبار,اتصل بنا,بحث,دخول,السلة,مساعدة,الشروط,الخصوصية,النشرة,السابق,التالي,موافق,يستخدم هذا الموقع ملفات تعريف الارتباط.,اقرأ أيضا,اشترك في النشرة",
}
CARRIERS = "Norwind NW,Aero Lusa AL,Baltic Wings BW,Transalpina TA,Skyferry SF,Delta Nord DN,Cape Air CP,Sun Express SX,Polar Jet PJ,Iberflug IF,Highland HL,Orient Star OS".split(",")
CITIES = "Oslo,Lisbon,Tallinn,Palermo,Edinburgh,Marrakesh,Kraków,Tel Aviv,New York JFK,Reykjavík,Nice,Porto Santo,Athens,Dubrovnik,Sofia,Cork,Palma de Mallorca,Zürich,Bilbao,Doha".split(",")
VEGETABLES = "cenoura,abóbora,espinafres,feijão,grão,alho francês,couve-flor,tomate,ervilhas,nabo,agrião,brócolos".split(",")
MEATS = "Frango,Bacalhau,Peru,Pescada,Atum,Carne de porco,Almôndegas,Salmão,Lombo,Vitela".split(",")
WAYS = "assado no forno,estufado,grelhado,à Brás,com natas,de caldeirada,à jardineira,com molho de tomate".split(",")
SIDES = "arroz de legumes,puré de batata,massa espiral,batata cozida,salada mista,esparguete".split(",")
DESSERTS = "Pera,Maçã assada,Laranja,Gelatina de morango,Iogurte,Banana,Arroz doce,Melancia,Salada de frutas,Pudim".split(",")
COMUNI = "Arezzo,Bitonto,Carpi,Desio,Empoli,Fano,Gubbio,Imola,Lecco,Melfi,Nuoro,Ostuni,Prato,Rho,Siena,Todi,Urbino,Vasto".split(",")
WORKS = "Lavori di manutenzione,Fornitura di arredi,Servizio di pulizia,Affidamento della progettazione,Rifacimento del tetto,Noleggio di automezzi,Servizio mensa,Messa in sicurezza".split(",")
PLACES_IT = "della scuola primaria,del palazzo comunale,della palestra,del cimitero,della strada provinciale,della biblioteca,dell'asilo nido,del ponte".split(",")
ILLS = "Asthma,Migraine,Type 2 Diabetes,Knee Osteoarthritis,Chronic Cough,Insomnia,Atopic Dermatitis,Heart Failure,Celiac Disease,Gout,Psoriasis,Glaucoma".split(",")
DRUGS = "Velumab,Cortapine,Orsotril,Namidex,Pelovir,Dextaril,Lorivant,Quenasol,Ibrolimus,Tasofen,Remicor,Zandopril".split(",")
CLINICS = "Mercy University Hospital,Northlake Medical Center,Hollis Pharma,Institute for Lung Research,St. Anne Clinic,Corvane Therapeutics,Rigshospital East,Public Health Trust".split(",")
MATTERS = "huile sur toile,bronze patiné,faïence émaillée,gravure sur bois,aquarelle sur papier,terre cuite,argent ciselé,noyer sculpté,laine et soie".split(",")
THINGS = "Portrait,Vase,Coupe,Paysage,Buste,Aiguière,Nature morte,Tapisserie,Plat,Étude".split(",")
BIRDS = """Northern Shoveler/Spatula clypeata,Red Knot/Calidris canutus,Merlin/Falco columbarius,Snow Bunting/Plectrophenax nivalis,Common Crane/Grus grus,Little Auk/Alle alle,Hoopoe/Upupa epops,
Water Rail/Rallus aquaticus,Great Grey Shrike/Lanius excubitor,Black Tern/Chlidonias niger,Jack Snipe/Lymnocryptes minimus,Firecrest/Regulus ignicapilla,Osprey/Pandion haliaetus,Brambling/Fringilla montifringilla,
Velvet Scoter/Melanitta fusca,Wryneck/Jynx torquilla,Bittern/Botaurus stellaris,Hawfinch/Coccothraustes coccothraustes,Smew/Mergellus albellus,Twite/Linaria flavirostris""".replace("\n", "").split(",")
TEAMS = "Заря,Спутник,Локомотив-2,Металлург,Текстильщик,Волна,Нефтяник,Авангард,Шахтёр,Энергия,Горняк,Юность,Прогресс,Химик".split(",")
RU_TOWNS = "Тверь,Калуга,Вологда,Рязань,Псков,Омск,Тула,Курск,Пермь,Ижевск,Самара,Орёл".split(",")
SPRINGS = "湯元,鶴屋,松風,月見,山吹,清流,花畑,白樺,銀河,千鳥,若葉,竹林".split(",")
KANA = "ゆもと,つるや,まつかぜ,つきみ,やまぶき,せいりゅう,はなばたけ,しらかば,ぎんが,ちどり,わかば,ちくりん".split(",")
JA_TOWNS = "長野県松本市,大分県別府市,群馬県草津町,静岡県熱海市,秋田県仙北市,北海道登別市,和歌山県白浜町,岐阜県下呂市,兵庫県豊岡市,石川県加賀市".split(",")
FAMILY_NAMES = "佐藤,鈴木,高橋,田中,渡辺,伊藤,山本,中村,小林,加藤".split(",")
GIVEN_NAMES = "一郎,健二,美咲,直樹,陽子,誠,由美,隆,真由美,浩".split(",")
MAKERS_AR = "شركة النور,مؤسسة الخليج,شركة الريان,مصانع الأطلس,شركة الواحة,مجموعة السلام,شركة الفجر,مؤسسة البدر".split(",")
GOODS_AR = "مروحة كهربائية,سخان ماء,مقعد أطفال,دراجة هوائية,شاحن هاتف,غسالة ملابس,لعبة خشبية,خلاط منزلي,مصباح مكتبي,عربة أطفال".split(",")
HAZARDS_AR = "خطر الحريق,خطر السقوط,صدمة كهربائية,خطر الاختناق,حروق,جروح".split(",")
DISTRICTS = "Braga,Évora,Faro,Leiria,Viseu,Aveiro,Guarda,Setúbal,Coimbra,Portalegre".split(",")
TRADES = "精密部品の製造,食品の加工,建設機械の販売,印刷,木製家具の製造,ソフトウェアの開発,繊維製品の輸入".split(",")


# --- how values are written


def european(d):
    return f"{d.day:02}/{d.month:02}/{d.year}"


def italian(d):
    return f"{d.day} {MONTHS['it'][d.month - 1]} {d.year}"


def portuguese(d):
    return f"{d.day} de {MONTHS['pt'][d.month - 1]} de {d.year}"


def portuguese_day(d):
    days = "Segunda-feira,Terça-feira,Quarta-feira,Quinta-feira,Sexta-feira,Sábado,Domingo".split(",")
    return f"{days[d.weekday()]}, {d.day} de {MONTHS['pt'][d.month - 1]}"


def russian(d):
    return f"{d.day} {MONTHS['ru'][d.month - 1]} {d.year}"


def russian_day(d):
    return f"{d.day} {MONTHS['ru'][d.month - 1]}, {'понедельник вторник среда четверг пятница суббота воскресенье'.split()[d.weekday()]}"


def arabic(d):
    return f"{d.day} {MONTHS['ar'][d.month - 1]} {d.year}"


def spanish(d):
    return f"{d.day} de {MONTHS['es'][d.month - 1]} de {d.year}"


def spanish_day(d):
    return f"{'lunes martes miércoles jueves viernes sábado domingo'.split()[d.weekday()]} {european(d)}"


def japanese(d):
    return f"{d.year}年{d.month}月{d.day}日"


def euro(x):
    """1.234,50 with the sign before, as in Italy."""
    return "€ " + f"{x:,.2f}".translate(str.maketrans(",.", ".,"))


def millions(x):
    return f"{x:,.0f} €".replace(",", ".")


def pounds(x):
    return f"£{x:,}"


def twelve(text):
    """14:05 as 2:05 pm."""
    hour, minute = text.split(":")
    return f"{(int(hour) + 11) % 12 + 1}:{minute} {'pm' if int(hour) > 11 else 'am'}"


def time(r, first=6, last=22):
    return f"{r.randint(first, last):02}:{r.randint(0, 11) * 5:02}"


def later(text, minutes):
    hour, minute = map(int, text.split(":"))
    return f"{(hour + (minute + minutes) // 60) % 24:02}:{(minute + minutes) % 60:02}"


def sorted_by(field):
    """Says that a design shows its records by this field."""
    def keep(body):
        body.order = lambda record: record[field]
        return body
    return keep


def groups(rows, field):
    """The rows by a value that they share, in order."""
    found = {}
    for row in rows:
        found.setdefault(row[field], []).append(row)
    return found.items()


# --- families


@family("flights", "number", twins=("due", "expected"))
def draw_flight(r, lang):
    airline, code = r.choice(CARRIERS).rsplit(" ", 1)
    due = time(r)
    record = dict(number=f"{code} {r.randint(100, 9899)}", airline=airline, city=r.choice(CITIES), due=due, gate=f"{r.choice('ABCD')}{r.randint(1, 40)}")
    maybe(r, record, .6, expected=later(due, r.randint(1, 11) * 5 + r.randint(1, 4)))
    return maybe(r, record, .6, status=r.choice(["Boarding", "Delayed", "Gate closed", "Final call", "Go to gate", "Departed"]))


@family("menus", "date", "pt", twins=("soup", "dessert"))
def draw_menu(r, lang):
    record = dict(date=date(r, 2019), soup=f"Sopa de {r.choice(VEGETABLES)}{r.choice(['', ' com massa', ' com hortelã'])}", dish=f"{r.choice(MEATS)} {r.choice(WAYS)} com {r.choice(SIDES)}",
                  dessert=r.choice(DESSERTS))
    maybe(r, record, .7, vegetarian=f"{r.choice(['Hambúrguer', 'Caril', 'Lasanha', 'Empadão'])} de {r.choice(VEGETABLES)}")
    return maybe(r, record, .5, calories=f"{r.randint(380, 720)} kcal")


@family("tenders", "title", "it", twins=("published", "deadline"))
def draw_tender(r, lang):
    published = date(r, 2018)
    record = dict(title=f"{r.choice(WORKS)} {r.choice(PLACES_IT)}{r.choice(['', ' - lotto ' + str(r.randint(1, 6)), ' di via ' + title(r, lang, 1, 1)])}", body=f"Comune di {r.choice(COMUNI)}",
                  cig="".join(r.choice("0123456789ABCDEF") for _ in range(10)), amount=r.randint(400000, 99000000) / 100, published=published, deadline=published + datetime.timedelta(r.randint(15, 60)))
    return maybe(r, record, .45, state=r.choice(["In corso", "Aggiudicata", "Scaduta", "Revocata"]))


@family("trials", "title", twins=("sponsor", "partner"))
def draw_trial(r, lang):
    ill = r.choice(ILLS)
    sponsor, partner = r.sample(CLINICS, 2)
    record = dict(title=f"{r.choice(['Efficacy of', 'Safety of', 'Study of', 'Long-term Use of'])} {r.choice(DRUGS)} in {r.choice(['Adults', 'Children', 'Patients'])} With {ill}",
                  code=f"NCT0{r.randint(1000000, 4999999)}", condition=ill, status=r.choice(["Recruiting", "Completed", "Not yet recruiting", "Terminated"]), sponsor=sponsor, patients=r.randint(12, 3400))
    maybe(r, record, .6, partner=partner)
    return maybe(r, record, .7, phase=r.choice(["Phase 1", "Phase 2", "Phase 3", "Phase 4"]))


@family("museum", "title", "fr", twins=("given", "made"))
def draw_object(r, lang):
    record = dict(title=f"{r.choice(THINGS)} {r.choice(['au', 'à la', 'du', 'de la'])} {title(r, lang, 1, 2).lower()}", made=r.randint(1480, 1899), matter=r.choice(MATTERS), given=r.randint(1901, 2016),
                  number=f"{r.choice(['INV', 'MR', 'OA', 'D'])}.{r.randint(10, 9999)}.{r.randint(1, 40)}")
    maybe(r, record, .65, maker=name(r))
    return maybe(r, record, .5, size=f"H. {r.randint(8, 190)} cm ; L. {r.randint(8, 240)} cm")


@family("sightings", "species", twins=("observer", "checker"))
def draw_sighting(r, lang):
    species, latin = r.choice(BIRDS).split("/")
    observer, checker = name(r), name(r)
    record = dict(species=species, latin=latin, place=f"{title(r, low=1, high=2)} {r.choice(['Marsh', 'Reservoir', 'Point', 'Common', 'Estuary', 'Wood'])}", date=datetime.date(2019, 5, r.randint(8, 19)), observer=observer)
    maybe(r, record, .8, count=r.randint(2, 480))
    maybe(r, record, .4, note=prose(r, low=5, high=14))
    return maybe(r, record, .6, checker=checker)


@family("playlist", "title", "de", twins=("artist", "title"))
def draw_song(r, lang):
    record = dict(time=time(r, 0, 23), artist=r.choice([name(r), f"Die {title(r, lang, 1, 1)}", f"{title(r, 'en', 1, 1)} {r.choice(['Orchestra', 'Quartet', 'Brothers', 'Club'])}"]),
                  title=f"{r.choice(['Lied vom', 'Nach dem', 'Ohne', 'Mein', 'Unter dem', 'Tanz mit'])} {title(r, lang, 1, 2)}")
    maybe(r, record, .6, album=f"{title(r, 'en', 1, 2)} {r.choice(['Sessions', 'Tapes', 'Live', 'Nights'])}")
    return maybe(r, record, .5, label=f"{r.choice(['Blau', 'Nord', 'Echo', 'Monopol', 'Kiez'])} {r.choice(['Records', 'Musik', 'Ton'])}")


@family("motions", "title", twins=("mover", "seconder"))
def draw_motion(r, lang):
    mover, seconder = (f"{r.choice(FIRST)} {last}" for last in r.sample(LAST, 2))
    record = dict(number=f"{r.randint(2017, 2019)}-{r.randint(10, 499)}", title=f"{r.choice(['Approval of', 'Amendment to', 'Funding for', 'Repeal of', 'Review of'])} the {title(r, low=1, high=2)} {r.choice(['bylaw', 'lease', 'bridge repair', 'parking plan', 'contract'])}",
                  mover=f"Cllr {mover}", ayes=r.randint(4, 13), noes=r.randint(0, 3), result=r.choice(["Carried", "Lost", "Deferred", "Withdrawn"]))
    maybe(r, record, .8, seconder=f"Cllr {seconder}")
    return maybe(r, record, .3, note=r.choice(["Recorded vote", "Casting vote of the mayor", "Interest declared"]))


@family("releases", "version")
def draw_release(r, lang):
    def change():
        return f"{r.choice(['Fix', 'Add', 'Remove', 'Update', 'Speed up'])} {' '.join(r.sample(WORDS['en'], 2))} {r.choice(['import', 'dialog', 'cache', 'parser', 'on Windows', 'when offline'])}"
    record = dict(version=f"{r.randint(0, 9)}.{r.randint(0, 24)}.{r.randint(0, 14)}", date=date(r), changes=[change() for _ in range(r.randint(1, 6))])
    maybe(r, record, .6, size=f"{r.randint(20, 980) / 10} MB")
    return maybe(r, record, .3, label=r.choice(["Latest", "Security", "Pre-release", "LTS"]))


@family("fixtures", "home", "ru", twins=("home", "away"))
def draw_fixture(r, lang):
    home, away = r.sample(TEAMS, 2)
    record = dict(home=f"{home} ({r.choice(RU_TOWNS)})", away=f"{away} ({r.choice(RU_TOWNS)})", date=datetime.date(2019, 4, r.choice([5, 6, 7, 12, 13, 14, 20, 21, 27, 28])), time=time(r, 12, 20), ground=f"стадион «{title(r, lang, 1, 1)}»")
    maybe(r, record, .7, score=f"{r.randint(0, 6)}:{r.randint(0, 4)}")
    return maybe(r, record, .5, crowd=r.randint(310, 9800))


@family("onsen", "name", "ja", twins=("price", "holiday"))
def draw_onsen(r, lang):
    at = r.randrange(len(SPRINGS))
    price = r.randint(40, 240) * 10
    record = dict(name=f"{SPRINGS[at]}{r.choice(['温泉', '旅館', '館', '荘', 'の湯'])}", kana=KANA[at], place=f"{r.choice(JA_TOWNS)}{r.choice(['湯', '本', '中', '上'])}町{r.randint(1, 9)}-{r.randint(1, 40)}", phone=f"0{r.randint(120, 990)}-{r.randint(20, 99)}-{r.randint(1000, 9999)}",
                  price=price, holiday=price + r.randint(5, 50) * 10)
    maybe(r, record, .6, water=r.choice(["単純温泉", "硫黄泉", "炭酸水素塩泉", "含鉄泉", "塩化物泉"]))
    return maybe(r, record, .35, mark=r.choice(["日帰り可", "貸切風呂あり", "ペット可", "駅近"]))


@family("recalls", "product", "ar", twins=("maker", "seller"))
def draw_recall(r, lang):
    maker, seller = r.sample(MAKERS_AR, 2)
    record = dict(product=f"{r.choice(GOODS_AR)} {r.choice(WORDS['ar'])} {r.choice('ABKM')}{r.randint(10, 990)}", maker=maker, number=f"{r.randint(2017, 2019)}/{r.randint(100, 999)}", date=date(r, 2019), hazard=r.choice(HAZARDS_AR))
    maybe(r, record, .7, seller=seller)
    return maybe(r, record, .5, units=r.randint(40, 9900))


@family("lottery", "draw", "es", twins=("bonus", "refund"))
def draw_lottery(r, lang):
    numbers = r.sample(range(1, 50), 7)
    day = date(r, 2016)
    record = dict(draw=f"{day.timetuple().tm_yday * 2 // 7 + 1:03}/{day.year}", date=day, numbers=[f"{n:02}" for n in sorted(numbers[:6])], bonus=f"{numbers[6]:02}", refund=str(r.randint(0, 9)))
    maybe(r, record, .8, jackpot=r.randint(4, 90) * 250000)
    return maybe(r, record, .4, winners=r.randint(1, 6))


@family("cottages", "name", twins=("sleeps", "bedrooms"))
def draw_cottage(r, lang):
    bedrooms = r.randint(1, 6)
    record = dict(name=f"{title(r, low=1, high=2)} {r.choice(['Cottage', 'Barn', 'Lodge', 'Farmhouse', 'Mill'])}", place=f"{r.choice(['St', 'Great', 'Little', 'Upper'])} {title(r, low=1, high=1)}, {r.choice(['Cornwall', 'Devon', 'Norfolk', 'Cumbria', 'Kent'])}",
                  sleeps=bedrooms + r.randint(1, 7), bedrooms=bedrooms, price=r.randint(290, 1990), text=prose(r, low=8, high=18))
    maybe(r, record, .6, rating=f"{r.randint(70, 99) / 10}")
    return maybe(r, record, .4, offer=r.choice(["Late deal", "Short breaks", "Save 10%", "New for 2020"]))


@family("species", "name", single=True, twins=("length", "span"))
def draw_species(r, lang):
    _, latin = r.choice(BIRDS).split("/")
    record = dict(name=f"{r.choice(['Greater', 'Lesser', 'Spotted', 'Northern', 'Grey', 'Striped'])} {title(r, low=1, high=1)} {r.choice(['Wren', 'Plover', 'Owl', 'Finch', 'Heron', 'Swift'])}", latin=f"{latin.split()[0]} {r.choice(['minor', 'maculata', 'borealis', 'cinerea', 'striata'])}",
                  group=f"{r.choice('ABCDFGHLMPRST')}{r.choice(['ard', 'arad', 'orn', 'ring', 'all'])}{r.choice(['idae', 'inidae'])}", length=f"{r.randint(9, 60)} cm", status=r.choice(["Least Concern", "Near Threatened", "Vulnerable", "Endangered"]), text=prose(r, low=20, high=50))
    maybe(r, record, .8, span=f"{r.randint(61, 190)} cm")
    return maybe(r, record, .5, diet=r.choice(["Seeds", "Insects", "Small fish", "Berries and insects", "Rodents"]))


@family("patent", "title", single=True, twins=("filed", "granted"))
def draw_patent(r, lang):
    filed = date(r, 2008, 2016)
    record = dict(title=f"{r.choice(['Method and apparatus for', 'System for', 'Device for', 'Process of'])} {r.choice(['sealing', 'cooling', 'sorting', 'winding', 'coating'])} {' '.join(r.sample(WORDS['en'], 2))} {r.choice(['parts', 'sheets', 'containers', 'cables'])}",
                  number=f"US{r.randint(8, 10)},{r.randint(100, 999)},{r.randint(100, 999)} B{r.randint(1, 2)}", inventors=[name(r) for _ in range(r.randint(1, 4))], filed=filed, granted=filed + datetime.timedelta(r.randint(500, 1400)),
                  claims=r.randint(6, 40), abstract=prose(r, low=25, high=60))
    maybe(r, record, .8, owner=f"{r.choice(['Norvik', 'Halden', 'Tesoro', 'Bluefin', 'Arcturus', 'Mendel'])} {r.choice(['Corp.', 'GmbH', 'Industries Inc.', 'Ltd.'])}")
    return maybe(r, record, .4, agent=f"{name(r)}, Esq.")


@family("deputy", "name", "pt", single=True, twins=("phone", "fax"))
def draw_deputy(r, lang):
    first = r.choice("Ana Bruno Catarina Duarte Filipa Gonçalo Helena Inês João Luísa Miguel Rita Tiago".split())
    record = dict(name=f"{first} {r.choice('Almeida Barros Carvalho Faria Lopes Matos Nunes Pinto'.split())} {r.choice('Ramos Sousa Teixeira Vaz Xavier Melo'.split())}", party=r.choice(["Partido da Terra", "União Cívica", "Frente Popular", "Aliança Verde"]), district=r.choice(DISTRICTS),
                  born=date(r, 1948, 1990), job=r.choice(["Advogada", "Economista", "Professora", "Médica", "Engenheira Civil", "Jornalista"]), email=f"{first.lower().translate(str.maketrans('çãêéíáâ', 'caeeiaa'))}{r.randint(1, 99)}@exemplo.pt", phone=f"21 {r.randint(300, 599)} {r.randint(10, 99)} {r.randint(10, 99)}")
    maybe(r, record, .7, fax=f"21 {r.randint(600, 999)} {r.randint(10, 99)} {r.randint(10, 99)}")
    return maybe(r, record, .5, committee=f"Comissão de {r.choice(['Saúde', 'Ambiente', 'Orçamento', 'Defesa', 'Cultura'])}")


@family("company", "name", "ja", single=True, twins=("phone", "fax"))
def draw_company(r, lang):
    place, area = r.choice(JA_TOWNS), f"0{r.randint(12, 99)}"
    record = dict(name=f"{r.choice(['株式会社', '有限会社'])}{r.choice(FAMILY_NAMES)}{r.choice(['製作所', '工業', '商事', '食品', '木工'])}", head=f"{r.choice(FAMILY_NAMES)} {r.choice(GIVEN_NAMES)}", founded=date(r, 1921, 2009), capital=f"{r.randint(3, 98)}00万円", place=f"{place}{r.randint(1, 9)}丁目{r.randint(1, 30)}番{r.randint(1, 20)}号",
                  phone=f"{area}-{r.randint(200, 499)}-{r.randint(1000, 9999)}", trade=r.choice(TRADES))
    maybe(r, record, .75, fax=f"{area}-{r.randint(500, 999)}-{r.randint(1000, 9999)}")
    return maybe(r, record, .6, staff=f"{r.randint(8, 480)}名")


# --- frames


def turned(s):
    return ' dir="rtl"' if s.lang == "ar" else ""


def government(s, main, head, words):
    links = side(s, '<li><a class="gov-link" href="#">{t}</a></li>', 3)
    return f"""<body class="gov-template__body js-enabled"{turned(s)}><a href="#main-content" class="gov-skip-link">{head}</a><header class="gov-header" role="banner"><div class="gov-width-container"><a href="/" class="gov-header__link"><svg aria-hidden="true" width="36" height="32"></svg> <span class="gov-header__logotype-text">{s.label}</span></a><form class="gov-search"><input type="search" name="q"><button type="submit">{words[5]}</button></form></div></header>
<div class="gov-width-container"><nav class="gov-breadcrumbs" aria-label="Breadcrumb"><ol class="gov-breadcrumbs__list">{menu(s, 0, 3, '<li class="gov-breadcrumbs__list-item"><a class="gov-breadcrumbs__link" href="/{}">{}</a></li>')}</ol></nav>
<main class="gov-main-wrapper" id="main-content" role="main"><h1 class="gov-heading-xl">{head}</h1><div class="gov-grid-row"><div class="gov-grid-column-two-thirds">{main}
<nav class="gov-pagination" role="navigation">{pager(s, '<a class="gov-pagination__link" href="?page={n}"><span>{t}</span></a> ', '<span class="gov-pagination__item--current">{t}</span> ')}</nav></div>
<div class="gov-grid-column-one-third"><aside class="related" role="complementary"><h2 class="gov-heading-m">{words[16]}</h2><ul class="gov-list">{links}</ul></aside></div></div></main></div>
<footer class="gov-footer" role="contentinfo"><ul class="gov-footer__inline-list">{menu(s, 8, 12, '<li class="gov-footer__inline-list-item"><a class="gov-footer__link" href="/{}">{}</a></li>')}</ul><span class="gov-footer__licence">&copy; {s.label}</span></footer></body>"""


def react(s, main, head, words):
    h = s.h
    return f"""<body{turned(s)}><noscript>You need to enable JavaScript to run this app.</noscript><div id="__next"><div class="{h('app')}"><header class="{h('top')}"><a aria-label="{words[0]}" href="/"><svg viewBox="0 0 24 24" width="24" height="24"><path d="M3 3h18v18H3z"></path></svg></a><nav class="{h('nav')}">{menu(s, 0, 5, f'<a class="{h("navlink")}" href="/{{}}"><span>{{}}</span></a>')}</nav><button type="button" class="{h('btn')}">{words[6]}</button></header>
<main class="{h('main')}"><h1 class="{h('h1')}">{head}</h1>{main}<div class="{h('pages')}">{pager(s, f'<a class="{h("btn")}" href="?page={{n}}">{{t}}</a>', f'<span class="{h("btn")} {h("on")}">{{t}}</span>')}</div></main>
<footer class="{h('foot')}"><div class="{h('cols')}"><ul>{menu(s, 1, 5)}</ul><ul>{menu(s, 8, 12)}</ul></div><small>© 2019 {s.label}</small></footer></div></div><script id="__NEXT_DATA__" type="application/json">{{"page":"/list","query":{{"page":{s.page}}},"buildId":"{h('build')}"}}</script></body>"""


def homepage(s, main, head, words):
    return f"""<BODY BGCOLOR="#FFFFCC" TEXT="#000000" LINK="#800000"><CENTER><TABLE BORDER=0 WIDTH="95%"><TR><TD ALIGN=CENTER><FONT FACE="Comic Sans MS, Arial" SIZE=6 COLOR="#800000">{s.label}</FONT><BR>{menu(s, 0, 5, '[ <A HREF="p{}.htm">{}</A> ]')}</TD></TR></TABLE></CENTER><HR NOSHADE SIZE=1>
<H2>{head}</H2>
{main}
<HR><P ALIGN=CENTER>{pager(s, '<A HREF="list{n}.htm">{t}</A> ', '{t} ')}<P ALIGN=CENTER><FONT SIZE=-1>{menu(s, 8, 10, '<A HREF="p{}.htm">{}</A> - ')}<A HREF="mailto:webmaster@example.org">webmaster@example.org</A><BR>{s.p.randint(20000, 90000)}</FONT></BODY>"""


def mediawiki(s, main, head, words):
    return f"""<body class="mediawiki ltr ns-0 ns-subject skin-vector"><div id="mw-page-base"></div><div id="content" class="mw-body" role="main"><a id="top"></a><div id="siteNotice"></div><h1 id="firstHeading" class="firstHeading">{head}</h1><div id="bodyContent"><div id="siteSub">From {s.label}, the free almanac</div><div id="jump-to-nav"></div><div id="mw-content-text" class="mw-content-ltr"><div class="mw-parser-output">{main}
<p>{pager(s, '<a href="/wiki/List_{n}">{t}</a> ', '<strong class="selflink">{t}</strong> ')}</p></div></div><div id="catlinks" class="catlinks"><div class="mw-normal-catlinks"><a href="/wiki/Categories">Categories</a>: <ul>{side(s, '<li><a href="/wiki/C">{t}</a></li>', 3)}</ul></div></div></div></div>
<div id="mw-navigation"><div id="left-navigation"><ul><li id="ca-nstab-main" class="selected"><a href="/wiki">Article</a></li><li id="ca-talk"><a href="/talk">Discussion</a></li></ul></div><div id="mw-panel"><div class="portal"><h3>Navigation</h3><ul>{menu(s)}</ul></div></div></div>
<div id="footer"><ul id="footer-info"><li>This page was last edited on {s.p.randint(1, 28)} May 2019, at {s.p.randint(10, 23)}:{s.p.randint(10, 59)}.</li></ul><ul id="footer-places">{menu(s, 8, 12)}</ul></div></body>"""


def blocks(s, main, head, words):
    return f"""<body class="page wp-embed-responsive"{turned(s)}><div class="wp-site-blocks"><header class="wp-block-template-part"><div class="wp-block-group alignwide is-layout-flex"><p class="wp-block-site-title"><a href="/" rel="home">{s.label}</a></p><nav class="wp-block-navigation"><ul class="wp-block-navigation__container">{menu(s, item='<li class="wp-block-navigation-item"><a class="wp-block-navigation-item__content" href="/{}"><span class="wp-block-navigation-item__label">{}</span></a></li>')}</ul></nav></div></header>
<main class="wp-block-group is-layout-flow"><h1 class="wp-block-post-title">{head}</h1><div class="entry-content wp-block-post-content is-layout-flow">{main}</div><nav class="wp-block-query-pagination">{pager(s, '<a class="page-numbers" href="/p/{n}">{t}</a>', '<span class="page-numbers current">{t}</span>')}</nav></main>
<footer class="wp-block-template-part"><div class="wp-block-columns"><div class="wp-block-column"><h2 class="wp-block-heading">{words[16]}</h2><ul class="wp-block-latest-posts">{side(s, '<li><a class="wp-block-latest-posts__post-title" href="#">{t}</a></li>')}</ul></div><div class="wp-block-column"><p>{words[17]}</p><p class="has-small-font-size">{menu(s, 8, 11, '<a href="/{}">{}</a> · ')}</p></div></div></footer></div></body>"""


def portal(s, main, head, words):
    news = "".join(f'<dt>{s.p.randint(1, 28)}.{s.p.randint(1, 12):02}</dt><dd><a href="/n/{s.p.randint(1, 999)}">{title(s.p, s.lang, 2, 4)}</a></dd>' for _ in range(s.p.randint(4, 7)))
    return f"""<body{turned(s)}><div id="wrapper"><div id="header"><a href="/"><img src="/img/logo.gif" alt="{s.label}"></a><div class="banner728"><a href="/adclick"><img src="/ad/{s.p.randint(1, 99)}.gif" alt=""></a></div></div><div id="gnavi"><ul>{menu(s, item='<li id="m{}"><a href="#">{}</a></li>')}</ul></div><p id="topicpath"><a href="/">{words[0]}</a> &gt; {head}</p>
<table id="cols" width="100%"><tr><td id="left" valign="top"><ul>{side(s, '<li><a href="/c">{t}</a></li>', 6)}</ul></td><td id="center" valign="top"><h1>{head}</h1>{main}<div class="pagenavi">{pager(s, '<a href="page{n}.html">{t}</a>', '<em>{t}</em>')}</div></td><td id="right" valign="top"><div class="box"><h2>{words[3]}</h2><dl class="news">{news}</dl></div><div class="ad160"><img src="/ad/s.gif" alt=""></div></td></tr></table>
<div id="footer"><p>{menu(s, 8, 12, '<a href="/{}">{}</a>｜' if s.lang == "ja" else '<a href="/{}">{}</a> | ')}</p><address>Copyright (C) 2003-2019 {s.label}</address></div></div></body>"""


FRAMES |= {"gov": government, "react": react, "home": homepage, "wiki": mediawiki, "blocks": blocks, "portal": portal}
